import type { ChainLink } from "./audit.ts";

/** SHA-256 of a text, as hexadecimal digits. */
export type Digest = (text: string) => string;

/** What a link is made of; of an export, which may be a later version's, names of deeds are any text. */
type SaltedFacts = {
  id: string;
  at: number;
  who: string;
  what: string;
  registrationId: string | null;
  on: string;
  personId?: string | undefined;
  operator?: string | undefined;
  salt: string;
};
export type ChainedEntry = SaltedFacts & { link: ChainLink };

/** Where a chain ends: number, digest and time (ms) of its last entry. */
export type ChainEnd = Pick<ChainLink, "seq" | "digest"> & { at: number };

export const noEntry: ChainEnd = { seq: 0, digest: "", at: 0 };

/** Entries may be purged from this age on (days); a day less, for processes whose clocks differ. */
const purgedFromDays = 729;
const dayMs = 24 * 3_600_000;

/**
 * The next link. Its digest covers all of the entry, its number and the link before. Whom it names is covered through
 * a salted digest, so that an erasure can take out the name and the salt, and the chain holds on.
 */
export function linkAfter(before: ChainEnd, facts: SaltedFacts, digest: Digest): ChainLink {
  const link = {
    seq: before.seq + 1,
    previous: before.digest,
    previousAt: before.at,
    named: namedDigest(facts, digest),
  };
  return { ...link, digest: linkDigest(facts, link, digest) };
}

function namedDigest({ salt, on, personId }: SaltedFacts, digest: Digest): string {
  return digest(JSON.stringify([salt, on, personId ?? null]));
}

function linkDigest(facts: SaltedFacts, link: Omit<ChainLink, "digest">, digest: Digest): string {
  const { id, at, who, what, registrationId, operator } = facts;
  const { seq, previous, previousAt, named } = link;
  return digest(
    JSON.stringify([seq, previous, previousAt, id, at, who, what, registrationId, operator ?? null, named]),
  );
}

/** missing: entries before this one are gone · changed: not what was written · unlinked: does not follow the one before. */
export type ChainFault = { seq: number; id: string; why: "missing" | "changed" | "unlinked" };

/** What has been read of a chain. */
export type ChainReading = {
  entries: number;
  first: ChainEnd | null;
  last: ChainEnd;
  /** Entries whose name was taken out: a person was erased, or two records of one person became one. */
  unnamed: number;
  /** How many; `firstFaults` are the first of them. */
  faults: number;
  firstFaults: readonly ChainFault[];
};

const maxFaultsNamed = 20;

export const nothingRead: ChainReading = {
  ...{ entries: 0, first: null, last: noEntry },
  ...{ unnamed: 0, faults: 0, firstFaults: [] },
};

/**
 * Reads on by one entry, in the order of numbers. Where the chain begins later than at 1, or has a gap, entries may have
 * been purged: each knows how old the one before it is.
 * @param now ms
 */
export function readOn(
  reading: ChainReading,
  entry: ChainedEntry,
  now: number,
  digest: Digest,
): ChainReading {
  const { id, at, salt, link } = entry;
  const { seq } = link;
  const end = { seq, digest: link.digest, at };
  const why = faultOf(reading, entry, now, digest);
  const named = reading.firstFaults;
  return {
    entries: reading.entries + 1,
    first: reading.first ?? end,
    last: end,
    unnamed: reading.unnamed + (salt === "" ? 1 : 0),
    faults: reading.faults + (why === null ? 0 : 1),
    firstFaults: why === null || named.length === maxFaultsNamed ? named : [...named, { seq, id, why }],
  };
}

function faultOf(
  { last }: ChainReading,
  entry: ChainedEntry,
  now: number,
  digest: Digest,
): ChainFault["why"] | null {
  const { link } = entry;
  if (linkDigest(entry, link, digest) !== link.digest) return "changed";
  if (entry.salt !== "" && namedDigest(entry, digest) !== link.named) return "changed";
  if (link.seq === last.seq + 1) return link.previous === last.digest ? null : "unlinked";
  if (link.seq <= last.seq) return "unlinked";
  return link.previousAt < now - purgedFromDays * dayMs ? null : "missing";
}

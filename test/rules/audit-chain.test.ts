import { describe, expect, test } from "vitest";
import {
  type ChainedEntry,
  type ChainReading,
  linkAfter,
  noEntry,
  nothingRead,
  readOn,
} from "../../src/modules/audit/rules/audit-chain.ts";
import { faultsSince } from "../../src/modules/audit/rules/audit-check.ts";
import { sha256 } from "../../src/kernel/digest.ts";

const day = 24 * 3_600_000;
const now = 2_000 * day;

/** Entries no. 1, 2, 3, ..., one for each age in days. */
function chainOf(...ages: readonly number[]): ChainedEntry[] {
  const made: ChainedEntry[] = [];
  for (const [at, age] of ages.entries()) {
    const facts = {
      ...{ id: `audit_${at}`, at: now - age * day, who: "console", what: "logged-in" },
      ...{ registrationId: null, on: `Person ${at}`, personId: `per_${at}`, salt: `salt ${at}` },
    };
    made.push({ ...facts, link: linkAfter(endOf(made.at(-1)), facts, sha256) });
  }
  return made;
}
function endOf(entry: ChainedEntry | undefined) {
  return entry === undefined ? noEntry : { seq: entry.link.seq, digest: entry.link.digest, at: entry.at };
}
function read(entries: readonly ChainedEntry[]): ChainReading {
  return entries.reduce((reading, entry) => readOn(reading, entry, now, sha256), nothingRead);
}
const faultsIn = (entries: readonly ChainedEntry[]) =>
  read(entries).firstFaults.map(({ seq, why }) => `${seq} ${why}`);
const changed = (entries: readonly ChainedEntry[], seq: number, change: Partial<ChainedEntry>) =>
  entries.map((entry) => (entry.link.seq === seq ? { ...entry, ...change } : entry));

describe("a log that nobody touched", () => {
  test("is read from its first to its last entry", () => {
    const entries = chainOf(3, 2, 1);
    expect(read(entries)).toMatchObject({
      ...{ entries: 3, unnamed: 0, faults: 0 },
      ...{ first: { seq: 1 }, last: { seq: 3, digest: entries[2]?.link.digest } },
    });
  });
  test("is one that has no entries, too", () => {
    expect(read([])).toEqual(nothingRead);
  });
  test("may begin later, and have gaps, where entries were old enough to be purged", () => {
    const entries = chainOf(740, 735, 730, 731, 10, 1);
    expect(faultsIn(entries.slice(2))).toEqual([]);
    // Clocks of two processes: one of the same time was purged, the other not yet.
    expect(faultsIn(entries.toSpliced(2, 1))).toEqual([]);
  });
  test("counts the entries whose person was erased", () => {
    const erased = changed(chainOf(3, 2, 1), 2, { personId: "erased", on: "erased", salt: "" });
    expect(read(erased)).toMatchObject({ faults: 0, unnamed: 1 });
  });
});

describe("somebody who can write into the database is found out when", () => {
  test.each<[string, Partial<ChainedEntry>]>([
    ["a deed became another one", { what: "job-started" }],
    ["the command line became the console", { who: "command-line" }],
    ["a deed was moved to another time", { at: now - 9 * day }],
    ["it is about another LMS", { registrationId: "reg_other" }],
    ["another operator did it", { operator: "eve@example.edu" }],
    ["it is about somebody else", { personId: "per_other" }],
    ["another thing was done it to", { on: "Somebody else" }],
    ["it has another salt", { salt: "salt of mine" }],
  ])("%s", (_what, change) => {
    expect(faultsIn(changed(chainOf(3, 2, 1), 2, change))).toEqual(["2 changed"]);
  });
  test("an entry was taken out", () => {
    expect(faultsIn(chainOf(3, 2, 1).toSpliced(1, 1))).toEqual(["3 missing"]);
  });
  test("the first entries were taken out before their time", () => {
    expect(faultsIn(chainOf(3, 2, 1).slice(1))).toEqual(["2 missing"]);
  });
  test("an entry was made anew with its digest, but not all after it", () => {
    const entries = chainOf(3, 2, 1);
    const [first, second] = entries;
    if (first === undefined || second === undefined) throw new Error("no entries");
    const facts = { ...second, what: "job-started" };
    const forged = { ...facts, link: linkAfter(endOf(first), facts, sha256) };
    expect(faultsIn(changed(entries, 2, forged))).toEqual(["3 unlinked"]);
  });
  test("the end was cut off, or written anew, since it was known", () => {
    const entries = chainOf(3, 2, 1);
    const last = read(entries).last;
    const check = { ...nothingRead, at: now, last, outside: 0 };
    const known = { loggedSeq: 0, acceptedFaults: 0, check };
    expect(faultsSince(read(entries), known, last)).toEqual([]);
    expect(faultsSince(read(entries.slice(0, 2)), known, null)).toMatchObject([{ seq: 3, why: "missing" }]);
    expect(faultsSince(read(entries), known, { seq: 3, digest: "another" })).toMatchObject([
      { seq: 3, why: "changed" },
    ]);
    expect(faultsSince(read(entries), { ...known, check: null, loggedSeq: 4 }, null)).toMatchObject([
      { seq: 4, why: "missing" },
    ]);
  });
});

test("the first twenty faults are named, all are counted", () => {
  const entries = chainOf(...Array.from({ length: 30 }, () => 1)).map((one) => ({ ...one, what: "forged" }));
  const { faults, firstFaults } = read(entries);
  expect([faults, firstFaults.length]).toEqual([30, 20]);
});

import type { App } from "../../app.ts";
import { sha256 } from "../../kernel/digest.ts";
import { type ChainedEntry, type ChainReading, nothingRead, readOn } from "./rules/audit-chain.ts";
import { type AuditCheck, faultsSince } from "./rules/audit-check.ts";
import type { ChainLink, LinkedEntry } from "./rules/audit.ts";

export type CheckAuditDeps = Pick<App, "audit" | "auditWitness" | "clock">;

const pageSize = 500;

/** Reads the whole log and says whether its entries are those that were written; the result is kept. */
export async function checkAudit(deps: CheckAuditDeps): Promise<AuditCheck> {
  const { audit, auditWitness, clock } = deps;
  // Before the log: what is added meanwhile is no fault.
  const witness = await auditWitness.find();
  const at = clock.now();
  const reading = await readChain(entriesOf(deps), at);
  const more = faultsSince(reading, witness, await linkOf(deps, witness.check?.last.seq ?? 0));
  const { first, last, ...counts } = reading;
  const check = {
    ...counts,
    ...{ at, last, faults: reading.faults + more.length, firstFaults: [...reading.firstFaults, ...more] },
    outside: await audit.countOutside(first?.at ?? at),
  };
  // A fault stays one: the next check compares with the end from before it.
  const known = more.length === 0 ? last : (witness.check?.last ?? last);
  await auditWitness.checked({ ...check, last: known });
  return check;
}

/** Null when the entry with this number is not there. */
async function linkOf({ audit }: Pick<App, "audit">, seq: number): Promise<ChainLink | null> {
  const [entry] = seq === 0 ? [] : await audit.chain(seq - 1, 1);
  return entry?.link.seq === seq ? entry.link : null;
}

/** Reads entries in the order of their numbers. @param now ms */
export async function readChain(entries: AsyncIterable<ChainedEntry>, now: number): Promise<ChainReading> {
  let reading = nothingRead;
  for await (const entry of entries) reading = readOn(reading, entry, now, sha256);
  return reading;
}

/** All that is in the chain, in the order of numbers. @param after The number before the first one wanted. */
export async function* entriesOf({ audit }: Pick<App, "audit">, after = 0): AsyncGenerator<LinkedEntry> {
  for (let last = after; ;) {
    const page = await audit.chain(last, pageSize);
    yield* page;
    if (page.length < pageSize) return;
    last = page.at(-1)?.link.seq ?? last;
  }
}

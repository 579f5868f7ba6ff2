import type { App } from "../../app.ts";
import { familyOfReceipt, findReceipts, type ReceiptFilter } from "../../inbox/find-receipts.ts";
import { type Receipt, type ReceiptState, receiptStates } from "../../inbox/rules/receipt.ts";
import type { ReceiptStore } from "../../inbox/store/receipt-store.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { TaskCounts } from "../../storage/task-lists.ts";
import type { TaskQueue } from "../../tasks/task-queue.ts";
import type { Wake } from "../../tasks/wake.ts";
import { cursorOf, cursorText } from "./paging.ts";
import type { Job, JobOutcome, JobRun } from "./rules/job.ts";
import type { JobStore } from "./store/upkeep-stores.ts";

export type ListedReceipt = Omit<Receipt, "body" | "bytes" | "digest"> & { family: string };

/** `next`: where to continue; null at the end. */
type ReceiptsPage = { receipts: ListedReceipt[]; next: string | null };

/** More are shown as "10,000+". */
export const maxCount = 10_000;
const pageSize = 50;
/** For one page; where hardly any fit, the reader is asked whether to look further. */
const maxLooked = 2_000;

/** Latest first. @param from Where the page before ended; null for the first one. */
export async function listReceipts(
  deps: Pick<App, "receipts">,
  filter: ReceiptFilter,
  from: string | null,
): Promise<ReceiptsPage> {
  const states = filter.states.length === 0 ? receiptStates : filter.states;
  const listed: Receipt[] = [];
  let looked = 0;
  for await (const { found, looked: some, cursor } of findReceipts(deps, filter, states, cursorOf(from))) {
    listed.push(...found);
    looked += some;
    if (listed.length > pageSize) return { receipts: shown(listed), next: nextOf(listed[pageSize - 1]) };
    if (looked >= maxLooked) return { receipts: shown(listed), next: cursorText(cursor) };
  }
  return { receipts: shown(listed), next: null };
}

/** By state; one more than `countedUpTo` means "more". */
export async function countReceiptStates({
  receipts,
}: Pick<App, "receipts">): Promise<{ state: ReceiptState; count: number }[]> {
  return Promise.all(
    receiptStates.map(async (state) => ({ state, count: await receipts.countUpTo(state, maxCount + 1) })),
  );
}

function shown(receipts: readonly Receipt[]): ListedReceipt[] {
  return receipts.slice(0, pageSize).map((receipt) => {
    const { body: _body, bytes: _bytes, digest: _digest, ...facts } = receipt;
    return { ...facts, family: familyOfReceipt(receipt) };
  });
}

function nextOf(last: Receipt | undefined): string | null {
  return last === undefined ? null : cursorText({ at: last.receivedAt, id: last.id });
}

/** `pretty`: the body on several lines, where it is JSON. */
export type ShownReceipt = Receipt & { family: string; pretty: string };

/** @throws NamedError receipt-unknown */
export async function showReceipt(
  { receipts }: { receipts: Pick<ReceiptStore, "find"> },
  id: string,
): Promise<ShownReceipt> {
  const receipt = await receipts.find(id);
  if (receipt === null) throw refusal("receipt-unknown", { values: { id }, status: 404 });
  return { ...receipt, family: familyOfReceipt(receipt), pretty: writtenOut(receipt.body) };
}

function writtenOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

type ListTasksDeps = { tasks: Pick<TaskQueue, "store">; clock: Clock };

export type ListedTasks = TaskCounts & { kind: string };

/** Failing kinds first. */
export async function listTasks({ tasks, clock }: ListTasksDeps): Promise<ListedTasks[]> {
  const { store } = tasks;
  const now = clock.now();
  const listed = await Promise.all(
    store.kinds().map(async ({ name }) => ({ kind: name, ...(await store.counts(name, now)) })),
  );
  return listed.toSorted((one, other) => Math.sign(other.failing) - Math.sign(one.failing));
}

/** Runs the failed tasks of a kind now. @returns how many; null for an unknown kind. */
export async function retryTasks(deps: ListTasksDeps & { wake: Wake }, kind: string): Promise<number | null> {
  const { store } = deps.tasks;
  const known = store.kinds().find(({ name }) => name === kind);
  if (known === undefined) return null;
  const retried = await store.retryFailed(kind, deps.clock.now());
  deps.wake(known);
  return retried;
}

/** `last`: the newest run, also a running one; null for never. */
export type ListedJob = Job & { last: JobRun | null };

/** By name. */
export async function listJobs(deps: { jobs: Pick<JobStore, "list"> }): Promise<ListedJob[]> {
  const jobs = await deps.jobs.list();
  return jobs
    .map((job) => ({ ...job, last: job.runs[0] ?? null }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** "failed": in whole, in part or by breaking off; "idle": a job that has never run. */
export const askedOutcomes = ["failed", "done", "running", "idle"] as const;
type AskedOutcome = (typeof askedOutcomes)[number];

/** Null leaves everything in. */
type JobFilter = { name: string | null; outcome: AskedOutcome | null };

/** `found`: kept runs that fit, newest first. */
export type FoundJob = ListedJob & { found: readonly JobRun[] };

/** Jobs and runs that fit; few enough to filter in memory. */
export function findJobs(jobs: readonly ListedJob[], { name, outcome }: JobFilter): FoundJob[] {
  return jobs
    .filter((job) => name === null || job.name === name)
    .map((job) => ({
      ...job,
      found: outcome === null ? job.runs : job.runs.filter((run) => kindOf(run) === outcome),
    }))
    .filter(
      ({ found, runs }) => outcome === null || (outcome === "idle" ? runs.length === 0 : found.length > 0),
    );
}

const kinds: Readonly<Record<JobOutcome, AskedOutcome>> = {
  done: "done",
  incomplete: "failed",
  failed: "failed",
  "broken-off": "failed",
};

function kindOf({ outcome }: JobRun): AskedOutcome {
  return outcome === null ? "running" : kinds[outcome];
}

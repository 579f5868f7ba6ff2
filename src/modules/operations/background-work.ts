import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { personName } from "../../domain/person.ts";
import { familyOfReceipt, foundReceipts, type ReceiptFilter } from "../../inbox/find-receipts.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import type { ReceiptStore } from "../../inbox/store/receipt-store.ts";
import { readWebhook, webhookKind } from "../../inbox/rules/webhook.ts";
import { byId, byKey, compareText } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import { searchPage } from "./paging.ts";
import type { JobOutcome, JobRun } from "./rules/job.ts";
import type { JobStore } from "./store/upkeep-stores.ts";

/** More are shown as "10,000+". */
export const maxCount = 10_000;
const pageSize = 50;
/** For one page. */
const maxLooked = 2_000;

export type ListedReceipt = Awaited<ReturnType<typeof withSubjects>>[number];

/** Latest first. @param from Where the page before ended. Null for the first page. @returns `next`: where to continue. Null at the end. */
export async function listReceipts(
  app: Pick<App, "receipts" | "events" | "courses" | "people">,
  filter: ReceiptFilter,
  from: string | null,
) {
  const { rows, next } = await searchPage(foundReceipts(app, filter), from, { pageSize, maxLooked });
  return { receipts: await withSubjects(app, rows), next };
}

type Subject = { event: string; eventId: string | null; spaceId: string | null; userId: string | null };

/** What the body of a webhook says about its subject. */
function subjectOf({ body, receivedAt }: Receipt): Subject {
  const webhook = readWebhook(parsedBody(body), receivedAt);
  return {
    event: webhook.family === "ATTENDANCE" ? webhook.observation.status : webhookKind(webhook).eventType,
    eventId: "eventId" in webhook ? webhook.eventId : null,
    spaceId: "spaceId" in webhook ? webhook.spaceId : null,
    userId: "userId" in webhook ? webhook.userId : null,
  };
}

/** The receipts of a page, each with its subject, or null if the tool doesn't know it. Takes a few reads per account. */
async function withSubjects(app: Pick<App, "events" | "courses" | "people">, receipts: readonly Receipt[]) {
  const page = receipts.map((receipt) => ({ receipt, subject: subjectOf(receipt) }));
  const byAccount = Map.groupBy(page, ({ receipt }) => receipt.environment);
  const known = new Map(
    await Promise.all(
      [...byAccount].map(async ([id, some]) => {
        const subjects = some.map(({ subject }) => subject);
        return [id, await knownSubjects(app, id, subjects)] as const;
      }),
    ),
  );
  return page.map(({ receipt, subject }) => {
    const { body: _body, bytes: _bytes, digest: _digest, ...facts } = receipt;
    const nothing = { course: null, session: null, person: subject.userId };
    const about = known.get(receipt.environment)?.(subject) ?? nothing;
    return { ...facts, ...about, family: familyOfReceipt(receipt), event: subject.event };
  });
}

async function knownSubjects(
  app: Pick<App, "events" | "courses" | "people">,
  environment: AccountId,
  subjects: readonly Subject[],
) {
  const idsOf = (name: "eventId" | "spaceId" | "userId") => [
    ...new Set(subjects.flatMap((subject) => subject[name] ?? [])),
  ];
  const [events, users, bySpace] = await Promise.all([
    app.events.findMany(environment, idsOf("eventId")),
    app.people.listByApiUsers(environment, idsOf("userId")),
    Promise.all(
      idsOf("spaceId").map(async (id) => [id, await app.courses.findBySpace(environment, id)] as const),
    ),
  ]);
  const eventOf = byKey(events, ({ eventId }) => eventId);
  const ofSpace = new Map(bySpace);
  const ofEvents = await app.courses.listMany([...new Set(events.flatMap(({ courseId }) => courseId ?? []))]);
  const courseOf = byId(ofEvents.map(({ course }) => course));
  return ({ eventId, spaceId, userId }: Subject) => {
    const event = eventOf.get(eventId ?? "");
    // A Space that several courses use doesn't identify one of them.
    const [only, ...others] = ofSpace.get(spaceId ?? "") ?? [];
    const course = courseOf.get(event?.courseId ?? "") ?? (others.length === 0 ? only : undefined) ?? null;
    const isOfLms = ({ person }: (typeof users)[number]) => person.registrationId === course?.registrationId;
    const user = users.find((one) => one.userId === userId && (course === null || isOfLms(one)));
    const person = user === undefined ? userId : personName(user.person);
    return { course, session: event?.title ?? null, person };
  };
}

/** `pretty`: the body on several lines, if it's JSON. */
export type ReceiptDetails = Receipt & { family: string; pretty: string };

/** @throws NamedError receipt-unknown */
export async function showReceipt(
  { receipts }: { receipts: Pick<ReceiptStore, "find"> },
  id: string,
): Promise<ReceiptDetails> {
  const receipt = await receipts.find(id);
  if (receipt === null) throw refusal("receipt-unknown", { values: { id }, status: 404 });
  return { ...receipt, family: familyOfReceipt(receipt), pretty: writtenOut(receipt.body) };
}

function writtenOut(body: string): string {
  const parsed = parsedBody(body);
  return parsed === null ? body : JSON.stringify(parsed, null, 2);
}

/** Null if it isn't JSON. */
function parsedBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

export async function listJobs(app: { jobs: Pick<JobStore, "list"> }) {
  const jobs = await app.jobs.list();
  return jobs
    .map((job) => ({
      ...job,
      /** The newest run, even if it's still running. Null for never. */
      last: job.runs[0] ?? null,
    }))
    .sort((one, other) => compareText(one.name, other.name));
}

/** "failed": completely, in part or by breaking off. "idle": a job that has never run. */
export const askedOutcomes = ["failed", "done", "running", "idle"] as const;
type AskedOutcome = (typeof askedOutcomes)[number];

/** Jobs and runs that match. Few enough to filter in memory. Null doesn't filter. */
export function findJobs(
  jobs: readonly Awaited<ReturnType<typeof listJobs>>[number][],
  { name, outcome }: { name: string | null; outcome: AskedOutcome | null },
) {
  return jobs
    .filter((job) => name === null || job.name === name)
    .map((job) => ({
      ...job,
      /** Stored runs that match, newest first. */
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

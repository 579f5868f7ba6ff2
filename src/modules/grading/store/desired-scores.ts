import { byKey } from "../../../kernel/lists.ts";
import { onDuplicate, type Records } from "../../../storage/records.ts";
import { released } from "../../../storage/due-queue.ts";
import type { Tally } from "../../../storage/tally-store.ts";
import {
  afterWanting,
  type deliveryRecord,
  type DesiredScore,
  dueAgain,
  dueFirst,
  hasArrived,
  isSameScore,
  obstacleOf,
  type Sending,
  type SentScore,
  urgency,
  urgencyOf,
} from "../rules/delivery.ts";
import type { DeliveryRow } from "./delivery-rows.ts";

/** Both grow as soon as something that scores depend on is stored. A computation that saw at least as much of both wins. */
export type SeenInputs = {
  /** Revision of the course's regrade: covers policy, planned sessions, sections. */
  regrade: number;
  /** Revision of the learner's attendance summary: covers the facts. */
  summary: number;
};

export type LearnerScores = {
  personId: string;
  sub: string;
  /** Looked up later if left out. */
  listName?: string;
  seen: SeenInputs;
  scores: ReadonlyMap<string, SentScore>;
  /** The person left the course, so only scores under way change. */
  left: boolean;
  /** When the attendance behind these scores was marked (ms); left out if something else caused them. */
  markedAt?: number | undefined;
};

type CourseKey = { registrationId: string; courseId: string };
type Change = { set: Partial<DeliveryRow>; onlyIf?: Partial<DeliveryRow> };
type Write =
  | { insertOne: { document: DeliveryRow } }
  | { updateOne: { filter: Record<string, unknown>; update: { $set: Partial<DeliveryRow> } } };

type WriteDeps = {
  delivered: Pick<Tally, "moved">;
  announced: (write: () => Promise<boolean>) => Promise<boolean>;
};

/** An upper limit for repeats while other processes write in between. */
const rounds = 50;
const underWay: DeliveryRow["state"][] = ["waiting", "blocked", "delivered", "refused", "held"];

/** `held`: new scores wait for a release. */
type Times = { now: number; sending: Sending; held: boolean };

/**
 * Sets learners' scores. Other columns stop waiting, and keep what the gradebook has. A score from newer inputs stays, and so do teachers'
 * changes. Sends nothing for a score that is already wanted or there, nor to clear what is empty. @returns the people whose computation
 * crossed another one; both must be repeated
 */
export async function setDesiredScores(
  records: Records<typeof deliveryRecord>,
  courseKey: CourseKey,
  learners: readonly LearnerScores[],
  deps: { newId: () => string } & Times & WriteDeps,
): Promise<string[]> {
  for (let round = 1; round <= rounds; round += 1) {
    const rows = await rowsOf(records, courseKey, learners);
    const across = new Set<string>();
    const writes: Write[] = [];
    for (const learner of learners) {
      const own = byKey(rows.get(learner.personId) ?? [], ({ columnKey }) => columnKey);
      if ([...own.values()].some((row) => ageOf(row, learner.seen) === "across"))
        across.add(learner.personId);
      else writes.push(...writesFor(courseKey, learner, own, deps));
    }
    const write = () => allWritten(records, writes);
    if (!(await (writes.some(makesDue) ? deps.announced(write) : write()))) continue;
    deps.delivered.moved(newlyDelivered(writes, [...rows.values()].flat()));
    return [...across];
  }
  throw new Error("deliveries of a course kept changing while scores were written");
}

/** Rows in one step of a release. */
const releaseSize = 100;

/** Makes scores that were kept back the wanted ones. Repeatable. @param id One delivery; null for all of the course. @returns how many there were */
export async function releaseScores(
  records: Records<typeof deliveryRecord>,
  { registrationId, courseId }: CourseKey,
  id: string | null,
  { now, delivered, announced }: { now: number } & WriteDeps,
): Promise<number> {
  const times = { now, sending: "now", held: false } as const;
  let [count, after] = [0, ""];
  for (let failures = 0; failures < rounds;) {
    const which = id === null ? { $gt: after } : { $in: [id] };
    const rows = await records.rows(
      { registrationId, courseId, unreleased: { $ne: null }, _id: which },
      { sort: { _id: 1 }, limit: releaseSize },
    );
    const writes = rows.flatMap((row) => {
      const { unreleased, seenRegrade: regrade = 0, seenStanding: summary = 0 } = row;
      if (unreleased == null) return [];
      return updateOf(row, { regrade, summary }, (revision) =>
        changeTo(row, { ...unreleased, revision }, times, {}),
      );
    });
    const last = rows.at(-1);
    if (last === undefined) return count;
    if (!(await announced(() => allWritten(records, writes)))) {
      // Some have changed since, so we read them again.
      failures += 1;
      continue;
    }
    delivered.moved(newlyDelivered(writes, rows));
    [count, after] = [count + rows.length, last._id];
    if (id !== null) return count;
  }
  throw new Error("deliveries of a course kept changing while they were released");
}

function makesDue(write: Write): boolean {
  const { state, nextTryAt } = "insertOne" in write ? write.insertOne.document : write.updateOne.update.$set;
  return state === "waiting" || nextTryAt !== undefined;
}

function newlyDelivered(writes: readonly Write[], rows: readonly DeliveryRow[]) {
  const before = new Map(rows.map((row) => [row._id, row.state]));
  let more = 0;
  for (const write of writes) {
    if ("insertOne" in write) continue;
    const { filter, update } = write.updateOne;
    const was = before.get(String(filter["_id"]));
    more += Number((update.$set.state ?? was) === "delivered") - Number(was === "delivered");
  }
  return more;
}

async function rowsOf(
  records: Records<typeof deliveryRecord>,
  { registrationId, courseId }: CourseKey,
  learners: readonly LearnerScores[],
): Promise<Map<string, DeliveryRow[]>> {
  const columns = new Set(learners.flatMap(({ scores }) => [...scores.keys()]));
  const found = await records.rows({
    registrationId,
    courseId,
    personId: { $in: learners.map(({ personId }) => personId) },
    $or: [{ columnKey: { $in: [...columns] } }, { state: { $in: underWay } }, { unreleased: { $ne: null } }],
  });
  return Map.groupBy(found, ({ personId }) => personId);
}

async function allWritten(records: Records<typeof deliveryRecord>, writes: readonly Write[]) {
  if (writes.length === 0) return true;
  const done = await records.model.bulkWrite([...writes], { ordered: false }).catch(onDuplicate(null));
  return done !== null && done.matchedCount + done.insertedCount === writes.length;
}

function writesFor(
  courseKey: CourseKey,
  learner: LearnerScores,
  own: ReadonlyMap<string, DeliveryRow>,
  { newId, ...times }: Times & { newId: () => string },
): Write[] {
  const { seen, scores, left } = learner;
  const writes: Write[] = [];
  for (const [columnKey, score] of scores) {
    const row = own.get(columnKey);
    if (left && !isOnTheWay(row)) continue;
    if (row === undefined) {
      writes.push({
        insertOne: { document: firstRow(newId(), { ...courseKey, columnKey }, learner, score, times) },
      });
    } else
      writes.push(
        ...updateOf(row, seen, (revision) => changeTo(row, { ...score, revision }, times, learner)),
      );
  }
  for (const row of own.values()) {
    if (!scores.has(row.columnKey)) writes.push(...updateOf(row, seen, () => inOrder(row, { set: stopped })));
  }
  return writes;
}

/** A former member gets no new score, only a change of one under way. */
function isOnTheWay(row: DeliveryRow | undefined): row is DeliveryRow {
  if (row === undefined) return false;
  if (row.state === "blocked") return obstacleOf(row.refusal) !== "person" || isUnreleased(row);
  return ["waiting", "refused", "held"].includes(row.state) || isUnreleased(row);
}

function isUnreleased({ unreleased = null }: DeliveryRow): boolean {
  return unreleased !== null;
}

function updateOf(row: DeliveryRow, seen: SeenInputs, change: (revision: number) => Change): Write[] {
  const age = ageOf(row, seen);
  if (age === "newer" || age === "across") return [];
  const revision = Math.max(row.revision ?? 0, row.desired?.revision ?? 0) + 1;
  const { set, onlyIf = {} } = change(revision);
  if (age === "same" && Object.keys(set).length === 0) return [];
  return [
    {
      updateOne: {
        filter: { _id: row._id, revision: row.revision ?? null, ...onlyIf },
        update: { $set: { ...set, revision, seenRegrade: seen.regrade, seenStanding: seen.summary } },
      },
    },
  ];
}

function ageOf(row: DeliveryRow, seen: SeenInputs): "older" | "same" | "newer" | "across" {
  const regrade = (row.seenRegrade ?? 0) - seen.regrade;
  const summary = (row.seenStanding ?? 0) - seen.summary;
  if (regrade === 0 && summary === 0) return "same";
  if (regrade <= 0 && summary <= 0) return "older";
  return regrade >= 0 && summary >= 0 ? "newer" : "across";
}

function changeTo(
  row: DeliveryRow,
  desired: DesiredScore,
  times: Times,
  { listName, markedAt }: Pick<LearnerScores, "listName" | "markedAt">,
): Change {
  const named = listName === undefined || listName === row.listName ? {} : { listName };
  const { revision: _revision, ...score } = desired;
  if (times.held && isNew(row, score)) return unreleasedChange(row, score, named);
  const renamed = isUnreleased(row) ? { ...named, unreleased: null } : named;
  if (row.desired !== null && isSameScore(row.desired, desired))
    return { set: { ...renamed, ...dueLater(row, times) } };
  const change = afterWanting(row, desired, times.now);
  // A score that is already under way counts from the first mark that it contains.
  const marked = { markedAt: (row.state === "waiting" ? row.markedAt : null) ?? markedAt ?? null };
  const set = { desired, ...change, ...dueWhen(row, change, times), ...renamed, ...marked };
  // Only applies while no score was sent, which the revision shows, and no decision was made. A claim doesn't matter, because after a change
  // nothing is sent under it.
  return inOrder(row, set.state === "waiting" ? { set } : { set, onlyIf: { state: row.state } });
}

/** After another policy, a grade that is in the gradebook is wanted again without a release. */
function isNew(row: DeliveryRow, score: SentScore): boolean {
  return row.desired !== null || !hasArrived(row, score);
}

/** What the gradebook should have stays, and so does what is on its way there. */
function unreleasedChange(row: DeliveryRow, score: SentScore, renamed: Partial<DeliveryRow>): Change {
  const { unreleased = null } = row;
  const current = row.desired ?? row.accepted;
  const isCurrent = current === null ? score.score === null : isSameScore(current, score);
  const unsent = isCurrent ? null : score;
  if (unreleased === unsent || (unreleased !== null && unsent !== null && isSameScore(unreleased, unsent)))
    return { set: renamed };
  // Of an earlier term, or from before they were a learner again.
  const fresh =
    row.desired === null && row.state === "blocked" ? ({ state: "idle", refusal: null } as const) : {};
  const at = urgencyOf({ ...row, ...fresh, unreleased: unsent });
  return { set: { ...renamed, ...fresh, unreleased: unsent, urgency: at }, onlyIf: { state: row.state } };
}

function dueWhen(
  row: DeliveryRow,
  { state }: Partial<DeliveryRow>,
  { now, sending }: Omit<Times, "held">,
): Partial<DeliveryRow> {
  if (state !== "waiting") return {};
  return row.state === "waiting" ? dueLater(row, { now, sending }) : dueFirst(sending, now);
}

/** A score that is due, or that an LMS delayed, stays as it is. */
function dueLater(row: DeliveryRow, { now, sending }: Omit<Times, "held">): Partial<DeliveryRow> {
  const gathers = row.state === "waiting" && row.gathering === true && row.attempts === 0;
  const nextTryAt = gathers ? dueAgain(sending, row.waitingSince ?? now, now) : null;
  return nextTryAt === null ? {} : { nextTryAt };
}

function inOrder(row: DeliveryRow, { set, onlyIf }: Change): Change {
  if (set.state === undefined) return { set, onlyIf: onlyIf ?? {} };
  const at = urgencyOf({ ...row, ...set });
  // After an accepted score, the column is listed.
  const unseen = at === urgency.noNews ? { accepted: null } : {};
  return { set: { ...set, urgency: at }, onlyIf: { ...onlyIf, ...unseen } };
}

/** The gradebook keeps its grades. */
const stopped: Partial<DeliveryRow> = {
  desired: null,
  unreleased: null,
  state: "idle",
  attempts: 0,
  waitingSince: null,
  reason: null,
  refusal: null,
};

function firstRow(
  id: string,
  key: CourseKey & { columnKey: string },
  { personId, sub, listName, seen, markedAt }: LearnerScores,
  score: SentScore,
  { now, sending, held }: Times,
): DeliveryRow {
  const waiting = score.score !== null && !held;
  const unreleased = held && score.score !== null ? score : null;
  const state = waiting ? "waiting" : "idle";
  const due = waiting ? dueFirst(sending, now) : { nextTryAt: 0, gathering: false };
  return {
    _id: id,
    ...key,
    personId,
    sub,
    listName: listName ?? null,
    urgency: urgencyOf({
      columnKey: key.columnKey,
      state,
      unreleased,
      accepted: null,
      foreign: null,
      refusal: null,
    }),
    desired: held ? null : { ...score, revision: 1 },
    unreleased,
    accepted: null,
    foreign: null,
    overruled: null,
    unconfirmed: [],
    again: false,
    state,
    attempts: 0,
    ...due,
    waitingSince: waiting ? now : null,
    reason: null,
    refusal: null,
    lastSentAt: null,
    markedAt: markedAt ?? null,
    revision: 1,
    seenRegrade: seen.regrade,
    seenStanding: seen.summary,
    ...released,
  };
}

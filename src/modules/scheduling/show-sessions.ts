import type { App } from "../../app.ts";
import type { ClassroomEvent, ToldChange } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { PlannedSession } from "./rules/planned-session.ts";
import { factsOf, sessionKey, type SessionRecord } from "./session-record.ts";

export type ShowSessionsDeps = Pick<App, "events" | "sessionPlans" | "clock">;

/** How a session stands with the classroom. "there": the classroom has it, and nothing is to be done. */
export type SessionStanding =
  | "there"
  | "cancelled"
  | "to-make"
  | "to-change"
  | "to-cancel"
  | "failed"
  | "not-changed"
  | "unknown"
  | "assumed";

/** A session as a page shows it. */
export type ShownSession = {
  key: string;
  /** The Space it takes place in; null until the course has one, or when the classroom names none. */
  spaceId: string | null;
  /** The classroom's id; null until it has made the session. */
  eventId: string | null;
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
  standing: SessionStanding;
  problem: string | null;
  /** Code of what `problem` says; null when it is not known. */
  problemCode: string | null;
  sectionIds: readonly string[];
  counts: boolean;
  /** Made in the classroom, not here. */
  found: boolean;
  /** Whether the cancelled session was deleted in the classroom. */
  deleted?: boolean;
  /** The latest change that the classroom told, also of what was planned here; left out when it told none. */
  told?: ToldChange;
  /** One of a series, planned here or made there; `number` and `of` of one planned here. */
  series: { number: number; of: number } | "found" | null;
};

/** All sessions of a course by time: those with a time still to come or none at all first, the next one first. */
export type CourseTimetable = {
  live: ShownSession[];
  next: ShownSession[];
  /** The latest first. */
  past: ShownSession[];
  /** How many are still to be made, and how many need somebody's decision. */
  toMake: number;
  stuck: number;
};

const most = 2_000;
/** A session whose end the classroom does not tell is taken to last so long (ms). */
const usualLength = 60 * 60_000;

/** The timetable of a course, with how each session stands. */
export async function showSessions(
  deps: ShowSessionsDeps,
  course: Pick<Course, "id">,
): Promise<CourseTimetable> {
  const [events, plans] = await Promise.all([
    deps.events.listOfCourse(course.id, most),
    deps.sessionPlans.listOfCourse(course.id, most),
  ]);
  return timetableOf(recordsOf(events, plans).map(shownOf), deps.clock.now());
}

/** Sessions by time. */
function timetableOf(sessions: readonly ShownSession[], now: number): CourseTimetable {
  const startOf = ({ startsAt }: ShownSession) => startsAt ?? Number.MAX_SAFE_INTEGER;
  const isOver = ({ startsAt, endsAt }: ShownSession) =>
    startsAt !== null && (endsAt ?? startsAt + usualLength) <= now;
  const isLive = (session: ShownSession) =>
    !isOver(session) && startOf(session) <= now && session.standing !== "cancelled";
  const sorted = [...sessions].sort((one, other) => startOf(one) - startOf(other));
  return {
    live: sorted.filter(isLive),
    next: sorted.filter((session) => !isOver(session) && !isLive(session)),
    past: sorted.filter(isOver).reverse(),
    toMake: sorted.filter(({ standing }) => standing === "to-make").length,
    stuck: sorted.filter(({ standing }) => stuck.has(standing)).length,
  };
}

const stuck: ReadonlySet<SessionStanding> = new Set(["failed", "not-changed", "unknown"]);

function recordsOf(events: readonly ClassroomEvent[], plans: readonly PlannedSession[]): SessionRecord[] {
  const planOf = new Map(plans.map((plan) => [plan.eventId, plan]));
  const eventOf = new Map(events.map((event) => [event.eventId, event]));
  const seen = events.map((event): SessionRecord => ({ plan: planOf.get(event.eventId) ?? null, event }));
  const unseen = plans.filter(
    ({ eventId, state }) => state !== "dropped" && (eventId === null || !eventOf.has(eventId)),
  );
  return [...seen, ...unseen.map((plan): SessionRecord => ({ plan, event: null }))];
}

/** A session as a page shows it. */
export function shownOf(record: SessionRecord): ShownSession {
  const { plan, event } = record;
  return {
    key: sessionKey(record),
    ...placeOf(record),
    ...factsOf(record),
    standing: standingOf(record),
    problem: plan?.problem ?? null,
    problemCode: plan?.problemCode ?? null,
    sectionIds: plan?.sectionIds ?? event?.sectionIds ?? [],
    counts: plan?.counts ?? true,
    found: plan?.origin !== "planned",
    series: seriesOf(plan, event),
    ...toldOf(event),
  };
}

function toldOf(event: ClassroomEvent | null): Pick<ShownSession, "deleted" | "told"> {
  if (event === null) return {};
  const { deleted, told } = event;
  return { ...(deleted === true ? { deleted } : {}), ...(told === undefined ? {} : { told }) };
}

/** Where the classroom has it; as planned until it was seen there. */
function placeOf({ plan, event }: SessionRecord): Pick<ShownSession, "spaceId" | "eventId"> {
  const { spaceId, eventId } = plan === null ? event : (event ?? plan);
  return { spaceId, eventId };
}

function seriesOf(plan: PlannedSession | null, event: ClassroomEvent | null): ShownSession["series"] {
  if (plan !== null && plan.seriesId !== null) return { number: plan.number, of: plan.of };
  return event?.recurring === true ? "found" : null;
}

function standingOf({ plan, event }: SessionRecord): SessionStanding {
  if (event?.cancelled === true) return "cancelled";
  if (plan === null) return "there";
  switch (plan.state) {
    case "wanted":
      return plan.task === "cancel" ? "to-cancel" : "to-make";
    case "failed":
    case "unknown":
    case "assumed":
      return plan.state;
    case "dropped":
      return "cancelled";
    case "made":
      return madeStanding(plan);
  }
}

function madeStanding({ task, problem }: PlannedSession): SessionStanding {
  if (task === null) return "there";
  if (problem !== null) return "not-changed";
  return task === "cancel" ? "to-cancel" : "to-change";
}

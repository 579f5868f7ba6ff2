import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { CourseTimetable, ShownSession } from "../scheduling/show-sessions.ts";

export type ShowNextClassDeps = Pick<App, "members" | "queuePositions" | "logins" | "clock">;

export type ClassNow = {
  session: ShownSession;
  live: boolean;
  /** Learners it is for, as far as the LMS lists them. */
  expected: number;
  /** People who entered since shortly before it began; 0 before that. */
  beenIn: number;
};

export type NextClass = {
  /** Those now on, else the next one. */
  classes: ClassNow[];
  waiting: number;
};

/** Further sessions at the same time are only in the list of sessions. */
const maxShown = 3;
/** How early people come (ms). */
const earlyMs = 15 * 60_000;

export async function showNextClass(
  deps: ShowNextClassDeps,
  course: Pick<Course, "id" | "registrationId">,
  timetable: Pick<CourseTimetable, "live" | "next">,
): Promise<NextClass> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const { live } = timetable;
  const coming = timetable.next.find(({ state, startsAt }) => state !== "cancelled" && startsAt !== null);
  const shown = live.length > 0 ? live.slice(0, maxShown) : coming === undefined ? [] : [coming];
  const classes = shown.map(async (session): Promise<ClassNow> => {
    const isLive = live.includes(session);
    return {
      session,
      live: isLive,
      expected: await deps.members.countLearners(key, session.sectionIds),
      beenIn: isLive ? await countCome(deps, key, (session.startsAt ?? 0) - earlyMs) : 0,
    };
  });
  return {
    classes: await Promise.all(classes),
    waiting: await deps.queuePositions.countWaitingOf(key, deps.clock.now()),
  };
}

/** Through the queue or with a prepared login; some do both. */
async function countCome(
  deps: ShowNextClassDeps,
  key: Pick<Course, "registrationId"> & { courseId: string },
  since: number,
): Promise<number> {
  const [through, ready] = await Promise.all([
    deps.queuePositions.enteredSince(key, since),
    deps.logins.usedSince(key, since),
  ]);
  return new Set([...through, ...ready]).size;
}

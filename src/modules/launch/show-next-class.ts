import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { CourseTimetable, ShownSession } from "../scheduling/show-sessions.ts";

export type ShowNextClassDeps = Pick<App, "members" | "queuePositions" | "logins" | "clock">;

/** A session that is on or comes next, with its people. */
export type ClassNow = {
  session: ShownSession;
  live: boolean;
  /** Learners it is for, as far as the LMS tells who is in the course. */
  expected: number;
  /** How many different people have gone in since shortly before it began; 0 for one that is still to come. */
  beenIn: number;
};

/** What is on at this moment, and what comes next. */
export type NextClass = {
  /** Those that are on; else the one that comes next; none when nothing is planned. */
  classes: ClassNow[];
  /** Learners who wait at the door now. */
  waiting: number;
};

/** More sessions at the same time are on the list of sessions. */
const shownAtMost = 3;
/** People come so long before a session begins (ms). */
const early = 15 * 60_000;

/** The sessions an instructor's home page shows, with who is expected and who has come. */
export async function showNextClass(
  deps: ShowNextClassDeps,
  course: Pick<Course, "id" | "registrationId">,
  timetable: Pick<CourseTimetable, "live" | "next">,
): Promise<NextClass> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const { live } = timetable;
  const coming = timetable.next.find(
    ({ standing, startsAt }) => standing !== "cancelled" && startsAt !== null,
  );
  const shown = live.length > 0 ? live.slice(0, shownAtMost) : coming === undefined ? [] : [coming];
  const classes = shown.map(async (session): Promise<ClassNow> => {
    const isLive = live.includes(session);
    return {
      session,
      live: isLive,
      expected: await deps.members.countLearners(key, session.sectionIds),
      beenIn: isLive ? await countCome(deps, key, (session.startsAt ?? 0) - early) : 0,
    };
  });
  return {
    classes: await Promise.all(classes),
    waiting: await deps.queuePositions.countWaitingOf(key, deps.clock.now()),
  };
}

/** People go in through the line or with a login that was ready; some do both. */
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

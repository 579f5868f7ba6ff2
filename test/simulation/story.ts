import type { Status } from "../support/tool/start-world.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { runAs } from "./instances.ts";
import { isTerm } from "./options.ts";
import { changeLate, changeSending, correct, makeColumnAgain, release } from "./teaching.ts";
import { type CoursePlan, fullNameOf, learnerOf, type World, webhookUrl } from "./world.ts";

const second = 1_000;
const minute = 60 * second;

/** What somebody does at a moment (ms after the beginning). The host's steps of a course happen in order. */
export type Step = { at: number; course: string } & (
  | { what: "look"; person: string }
  | { what: "enter"; person: string; twice: boolean }
  | { what: "leave"; person: string }
  | { what: "schedule"; session: string; aheadMs: number; minutes: number }
  /** Lost: no webhook reports it. */
  | { what: "mark"; session: string; person: string; status: Status; isLost?: boolean }
  | { what: "end" }
  | { what: "enrol"; person: string }
  | { what: "sections"; person: string; sections: readonly string[] }
  | { what: "demote"; person: string }
  | { what: "correct"; session: string; person: string; status: Status }
  | { what: "late is worth"; percents: readonly number[] }
  | { what: "release by hand" | "release all" }
  | { what: "remove column" }
  | { what: "make column" }
  | { what: "erase"; person: string }
);

/** Each day begins at a moment (ms after the beginning of everything), from which its steps count. */
export type Day = {
  at: number;
  steps: readonly Step[];
  /** At the very end, one after another, counted from when they begin. */
  last: readonly Step[];
};

/** How long somebody tries to get in, and how long a host waits for a person to appear. */
const patienceMs = 20 * minute;

/** The outcome of the story, for the laws. */
export type Told = {
  /** Unfinished steps. */
  pending: Set<Step>;
  /** Steps that failed, such as a person who was never let in. */
  failures: string[];
  /** The session's event, by course and name. */
  events: Map<string, string>;
  /** The Space into which each person's login led. */
  entries: { course: string; person: string; userId: string; spaceId: string; isDemoted: boolean }[];
  /** The marks of instructors, by the session's event and the person. */
  corrections: Map<string, Status>;
  /** The credit for late, by course, if it was changed. */
  late: Map<string, number>;
  /** Courses whose new grades wait for an instructor. */
  held: Set<string>;
  /** Courses whose column was removed and not created again yet. */
  columnless: Set<string>;
  /** People who are no longer teachers. */
  demoted: Set<string>;
  erased: Set<string>;
};

export const nothingTold = (): Told => ({
  pending: new Set(),
  failures: [],
  events: new Map(),
  entries: [],
  corrections: new Map(),
  late: new Map(),
  columnless: new Set(),
  held: new Set(),
  demoted: new Set(),
  erased: new Set(),
});

/** Runs a day; people try again when a page fails. Resolves when the last step is done. */
export async function live(world: World, steps: readonly Step[], told: Told): Promise<void> {
  const begins = Date.now();
  const until = (at: number) => pause(begins + at - Date.now());
  const isHosts = ({ what }: Step) => what !== "enter" && what !== "look";
  const perform = async (step: Step, course: CoursePlan) => {
    await until(step.at);
    told.pending.add(step);
    try {
      await act(world, told, course, step);
    } catch (thrown) {
      told.failures.push(
        `${JSON.stringify(step)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      );
    }
    told.pending.delete(step);
  };
  const ofCourse = async (course: CoursePlan) => {
    const own = steps.filter((step) => step.course === course.id);
    const host = async () => {
      for (const step of own.filter(isHosts)) await perform(step, course);
    };
    await Promise.all([host(), ...own.filter((step) => !isHosts(step)).map((step) => perform(step, course))]);
  };
  const last = Math.max(...steps.map(({ at }) => at));
  await runAs(world.people, () =>
    Promise.race([Promise.all(world.plan.courses.map(ofCourse)), until(last + 3 * patienceMs)]),
  );
  for (const step of told.pending) told.failures.push(`${JSON.stringify(step)}: never came to an end`);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(1, ms));
  });
}

async function act(world: World, told: Told, course: CoursePlan, step: Step): Promise<void> {
  const { classroom } = world;
  switch (step.what) {
    case "look":
      await tryAgain(
        `${step.person} opens course ${course.id}`,
        () => openCourseLink(createVisitor(), world.lms, step.person, course.link, { framed: true }),
        ({ status }) => status === 200,
      );
      return;
    case "enter": {
      const clicks = step.twice ? 2 : 1;
      await Promise.all(Array.from({ length: clicks }, () => enter(world, told, course, step.person)));
      return;
    }
    case "leave": {
      const userId = await userOf(told, step);
      const space = classroom.spaces().find(({ people }) => people.some((one) => one.userId === userId));
      if (space !== undefined) classroom.leaveSpace({ spaceId: space.spaceId, userId });
      return;
    }
    case "schedule": {
      const spaceId = await spaceOf(told, course);
      const startsAt = Date.now() + step.aheadMs;
      const times = { startsAt, endsAt: startsAt + step.minutes * minute };
      const { eventId } = classroom.createEvent({ spaceId, title: `Session ${step.session}`, ...times });
      told.events.set(`${course.id} ${step.session}`, eventId);
      return;
    }
    case "mark": {
      const eventId = told.events.get(`${course.id} ${step.session}`);
      if (eventId === undefined) throw new Error("the session was never scheduled");
      const userId = await userOf(told, step);
      if (step.isLost === true) classroom.setWebhookUrl(null);
      classroom.markAttendance({ eventId, userId, status: step.status });
      classroom.setWebhookUrl(webhookUrl);
      return;
    }
    case "end":
      classroom.endSession({ spaceId: await spaceOf(told, course) });
      return;
    default:
      await changeCourse(world, told, course, step);
  }
}

type Change = Exclude<Step, { what: "look" | "enter" | "leave" | "schedule" | "mark" | "end" }>;

/** Events of a course besides its classes. */
async function changeCourse(world: World, told: Told, course: CoursePlan, step: Change): Promise<void> {
  const { lms } = world;
  const isShown = ({ status }: Seen) => status === 200;
  switch (step.what) {
    case "enrol":
      lms.enrol(course.id, learnerOf(step.person));
      return;
    case "sections":
      lms.setSections(course.id, step.person, step.sections);
      return;
    case "demote":
      lms.enrol(course.id, learnerOf(step.person));
      told.demoted.add(`${course.id} ${step.person}`);
      return;
    case "correct": {
      const eventId = told.events.get(`${course.id} ${step.session}`) ?? "";
      const personId = await world.idOf(fullNameOf(step.person));
      const mark = { personId, eventId, status: step.status };
      await tryAgain("a correction", () => correct(world, course, mark), isShown);
      told.corrections.set(`${eventId} ${step.person}`, step.status);
      return;
    }
    case "late is worth":
      for (const percent of step.percents) {
        await tryAgain("a changed policy", () => changeLate(world, course, percent), isShown);
        told.late.set(course.id, percent);
      }
      return;
    case "release by hand":
      told.held.add(course.id);
      await tryAgain("a rule for sending", () => changeSending(world, course, "hand"), isShown);
      return;
    case "release all":
      await tryAgain("grades released", () => release(world, course), isShown);
      await tryAgain("a rule for sending", () => changeSending(world, course, "self"), isShown);
      told.held.delete(course.id);
      return;
    case "remove column": {
      const column = lms.gradebook(course.id).columns[0];
      if (column === undefined) return;
      lms.deleteColumn(column.id);
      told.columnless.add(course.id);
      return;
    }
    case "make column":
      if (!told.columnless.has(course.id)) return;
      // Of two presses after a lost answer, the first has created it.
      await tryAgain(
        "a column that is made again",
        () => makeColumnAgain(world, course),
        (seen) => isShown(seen) || lms.gradebook(course.id).columns.length > 0,
      );
      told.columnless.delete(course.id);
      return;
    case "erase":
      await world.erase(await world.idOf(fullNameOf(step.person)));
      told.erased.add(step.person);
  }
}

async function enter(world: World, told: Told, course: CoursePlan, person: string): Promise<void> {
  await tryAgain(
    `${person} enters course ${course.id}`,
    async () => {
      const visitor = createVisitor();
      // In a term hundreds of people wait, and frequent checks take most of its time.
      const pollMs = world.plan.isTerm ? 8 * second : undefined;
      const answer = await enterByCourseLink(visitor, world.lms, person, course.link, pollMs);
      const to = answer.location ?? "";
      if (answer.status !== 303 || !to.startsWith(world.classroom.appUrl)) return answer;
      const token = new URL(to).searchParams.get("token");
      const login = world.classroom.authorizations().findLast((one) => one.token === token);
      const isDemoted = told.demoted.has(`${course.id} ${person}`);
      if (login !== undefined)
        told.entries.push({
          course: course.id,
          person,
          userId: login.userId,
          spaceId: login.spaceId,
          isDemoted,
        });
      return await visitor.open(to);
    },
    ({ status, url }) => status === 200 && url.startsWith(world.classroom.appUrl),
  );
}

async function tryAgain(what: string, work: () => Promise<Seen>, isGood: (seen: Seen) => boolean) {
  const until = Date.now() + patienceMs;
  let last = () => "";
  for (;;) {
    try {
      const seen = await work();
      if (isGood(seen)) return;
      last = () => `${seen.status} ${seen.url} ${seen.text.replaceAll(/<[^>]*>|\s+/g, " ").slice(0, 300)}`;
    } catch (thrown) {
      last = () => (thrown instanceof Error ? thrown.message : String(thrown));
    }
    if (Date.now() > until) throw new Error(`${what}: ${last()}`);
    // Outages in a term last a minute or two, and each try during one takes as much time as an entry.
    await pause((isTerm ? 3 : 1) * (5 * second + Math.random() * 10 * second));
  }
}

async function waitFor<T>(what: string, find: () => T | undefined): Promise<T> {
  for (const until = Date.now() + patienceMs; Date.now() < until;) {
    const found = find();
    if (found !== undefined) return found;
    await pause(second);
  }
  throw new Error(`${what} did not come about`);
}

/** The Space where a course meets, once somebody was let in. */
async function spaceOf({ entries }: Told, { id, title }: CoursePlan): Promise<string> {
  return await waitFor(`a Space for ${title}`, () => entries.find(({ course }) => course === id)?.spaceId);
}

/** The user id under which the host sees somebody in the Space, once they came. */
async function userOf({ entries }: Told, { course, person }: { course: string; person: string }) {
  return await waitFor(
    `${person} in the Space`,
    () => entries.findLast((one) => one.course === course && one.person === person)?.userId,
  );
}

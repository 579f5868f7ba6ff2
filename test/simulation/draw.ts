import type { Status } from "../support/tool/start-world.ts";
import type { Day, Step } from "./story.ts";
import type { CoursePlan, WorldPlan } from "./world.ts";

const second = 1_000;
const minute = 60 * second;

type Chance = () => number;
const statuses = ["PRESENT", "PRESENT", "PRESENT", "LATE", "ABSENT", "EXCUSED"] as const satisfies Status[];

export function oneOf<T>(chance: Chance, list: readonly T[]): T {
  const found = list[Math.floor(chance() * list.length)];
  if (found === undefined) throw new Error("nothing to choose from");
  return found;
}

/** The people and courses. The first learner of each course is in all of them. */
export function drawPlan(
  chance: Chance,
  size: { courses: number; learners: number; instances: number; isTerm: boolean },
): WorldPlan {
  const courses = Array.from({ length: size.courses }, (_none, at): CoursePlan => {
    const first = 1_000 * (at + 1);
    const own = Array.from({ length: size.learners - 1 }, (_same, number) => String(first + number + 10));
    return {
      id: String(at + 2),
      title: `Course ${at + 2} of the term`,
      link: String(at + 1),
      teacher: String(first + 1),
      learners: ["900", ...own],
      assistant: size.isTerm ? String(first + 2) : null,
      late: size.isTerm ? own.slice(0, 1) : [],
    };
  });
  const manners = chance() < 0.5 ? "moodle" : "canvas";
  return { manners, instances: size.instances, courses, isTerm: size.isTerm };
}

/** Shares of learners: whose first mark never changes; who double-click when all come at once. And of sessions planned when they begin. */
type Habits = { markedOnce: number; clickTwice: number; plannedLate: number };
const inClasses: Habits = { markedOnce: 0, clickTwice: 0.7, plannedLate: 0 };
/** Changes within seconds are tested in single classes. */
const inTerms: Habits = { markedOnce: 0.9, clickTwice: 0.2, plannedLate: 0.5 };
/** The shares of learners and assistants who stay away once they have been in a class, and of those who are still marked. */
const awayInTerms = 0.85;
const markedAway = 1 / 3;

/** One class of a course, which lasts a quarter of an hour: things go wrong around events. */
export function drawClass(
  chance: Chance,
  { id: course, teacher, assistant, learners }: CoursePlan,
  session: string,
  from: number,
  { markedOnce, clickTwice, plannedLate }: Habits,
): Step[] {
  const steps: Step[] = [];
  const within = (start: number, length: number) => from + (start + chance() * length) * minute;
  // In every second course nobody has been there before, and all come at the same time, some with a double click.
  const isRush = Number(course) % 2 === 1;
  if (!isRush) steps.push({ at: from, course, what: "look", person: teacher });
  const aheadMs = plannedLate > 0 && chance() < plannedLate ? 0 : 3 * minute;
  steps.push({ at: from + 5 * minute - aheadMs, course, what: "schedule", session, aheadMs, minutes: 15 });
  for (const person of [teacher, ...(assistant === null ? [] : [assistant]), ...learners]) {
    const twice = isRush && chance() < clickTwice;
    steps.push({ at: isRush ? within(1, 0.1) : within(1, 2), course, what: "enter", person, twice });
    if (chance() < 0.3) steps.push({ at: within(9, 3), course, what: "leave", person });
  }
  learners.forEach((person, number) => {
    const mark = (at: number, status: Status, isLost = false) =>
      steps.push({ at, course, what: "mark", session, person, status, isLost });
    const first = within(6, 2);
    // Another mark, or the reading after class, follows, so that a lost one is found.
    mark(first, number % 2 === 1 ? "LATE" : oneOf(chance, statuses), chance() < 0.2);
    if (markedOnce > 0 && chance() < markedOnce) return;
    mark(first + chance() * 10 * second, number % 4 === 3 ? "LATE" : oneOf(chance, statuses));
    if (number % 2 === 1) return;
    // The host changes their mind faster than scores are sent; nothing later would correct what went wrong here.
    let at = within(11, 2);
    let last: Status = "EXCUSED";
    for (let change = 0; change < 4; change += 1) {
      last = oneOf(
        chance,
        changed.filter((status) => status !== last),
      );
      mark(at, last, change < 3 && chance() < 0.1);
      at += second + chance() * 3 * second;
    }
  });
  steps.push({ at: from + 14 * minute, course, what: "end" });
  return steps.sort((one, other) => one.at - other.at);
}

const changed = ["PRESENT", "LATE", "ABSENT"] as const satisfies Status[];

/** A day with one class in each course, in which the teacher changes the credit for late, twice, and then corrects a mark. */
export function drawDay(chance: Chance, { courses }: WorldPlan): Day {
  const session = "1";
  const steps = courses.flatMap((course): Step[] => {
    const place = { course: course.id };
    const person = oneOf(chance, withoutChanges(course));
    return [
      ...drawClass(chance, course, session, minute, inClasses),
      { ...place, at: 10 * minute, what: "late is worth", percents: drawPercents(chance) },
      { ...place, at: 11 * minute, what: "correct", session, person, status: oneOf(chance, changed) },
    ];
  });
  steps.sort((one, other) => one.at - other.at);
  return { at: 0, steps, last: drawLast(chance, courses, session) };
}

/** The learners whose marks do not change late in class. */
function withoutChanges({ learners }: Pick<CoursePlan, "learners">): readonly string[] {
  const steady = learners.filter((_learner, number) => number % 2 === 1);
  return steady.length === 0 ? learners : steady;
}

const drawPercents = (chance: Chance) => [10 * Math.floor(chance() * 10), 10 * Math.floor(chance() * 10)];

/** A last mark, preceded by another mark or another policy. */
function drawLast(chance: Chance, courses: readonly CoursePlan[], session: string): Step[] {
  const mark = (): Step => {
    const course = oneOf(chance, courses);
    const person = withoutChanges(course)[0] ?? "";
    return { at: second, course: course.id, what: "mark", session, person, status: oneOf(chance, statuses) };
  };
  const policy = (): Step => {
    const percents = drawPercents(chance).slice(0, 1);
    return { at: second, course: oneOf(chance, courses).id, what: "late is worth", percents };
  };
  return [chance() < 0.6 ? policy() : mark(), mark()];
}

const dayMs = 24 * 60 * minute;

/** A course in four has a class every week, on one of two days, the others every second week. */
export function drawTerm(chance: Chance, { courses }: WorldPlan, weeks: number): Day[] {
  const days = courses.flatMap((course, number) => {
    const at = Math.floor(chance() * 2) * 2 * dayMs;
    const everyWeeks = number % 4 === 0 ? 1 : 2;
    const firstWeek = number % everyWeeks;
    const classes = Math.ceil((weeks - firstWeek) / everyWeeks);
    const events = drawEvents(chance, course, classes);
    return Array.from({ length: classes }, (_none, week): Day => {
      const firstOf = (person: string) => (course.late.includes(person) ? lateWeek : 0);
      const isErased = (person: string) => person === events.erased && week >= events.erasedIn;
      const learners = course.learners.filter((person) => week >= firstOf(person) && !isErased(person));
      const wasThere = (person: string) => week > firstOf(person);
      const known = [...learners, course.assistant ?? ""].filter(wasThere);
      const away = new Set(known.filter(() => chance() < awayInTerms));
      const unmarked = new Set([...away].filter(() => chance() >= markedAway));
      const steps = drawClass(chance, { ...course, learners }, String(week), minute, inTerms).filter(
        (step) => !("person" in step) || !(step.what === "mark" ? unmarked : away).has(step.person),
      );
      const place = { at: 0, course: course.id };
      const first = events.steps.filter((one) => one.week === week && one.isFirst);
      const after = events.steps.filter((one) => one.week === week && !one.isFirst);
      const earlier = { session: String(Math.floor(chance() * week)), status: oneOf(chance, statuses) };
      const isThere = (person: string) => !course.late.includes(person) && person !== events.erased;
      const person = oneOf(chance, learners.filter(isThere));
      return {
        at: 7 * (firstWeek + everyWeeks * week) * dayMs + at,
        steps: [
          ...first.map(({ step }): Step => ({ ...place, ...step })),
          ...steps,
          ...after.map(({ step }): Step => ({ ...place, ...step, at: 15 * minute })),
          // Marks of earlier sessions are corrected, too.
          ...(week > 0 ? [{ ...place, at: 16 * minute, what: "mark" as const, person, ...earlier }] : []),
        ],
        last: drawLast(chance, [{ ...course, learners: learners.filter(isThere) }], String(week)),
      };
    });
  });
  return [...Map.groupBy(days, ({ at }) => at)]
    .map(([at, same]) => ({
      at,
      steps: same.flatMap(({ steps }) => steps),
      last: same.flatMap(({ last }) => last).slice(0, 2),
    }))
    .sort((one, other) => one.at - other.at);
}

/** The week in which late learners are enrolled, counted from 0. */
const lateWeek = 2;

type TermEvent = { week: number; isFirst: boolean; step: DistributedOmit<Step, "at" | "course"> };
type DistributedOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

/** What happens to a course in some week, before or after its class. */
function drawEvents(
  chance: Chance,
  { id, learners, late, assistant }: CoursePlan,
  weeks: number,
): { steps: TermEvent[]; erased: string | undefined; erasedIn: number } {
  const inWeek = (from: number) => from + Math.floor(chance() * Math.max(1, weeks - from));
  // The first learner is in all courses; only somebody in this course alone is erased.
  const erased = learners.find((one, at) => at > 0 && !late.includes(one));
  const person = oneOf(chance, learners.slice(0, 1));
  const erasedIn = inWeek(2);
  const removedIn = inWeek(1);
  const before = (week: number, step: TermEvent["step"]): TermEvent => ({ week, isFirst: true, step });
  const after = (week: number, step: TermEvent["step"]): TermEvent => ({ week, isFirst: false, step });
  const correction = inWeek(0);
  return {
    erased,
    erasedIn,
    steps: [
      ...late.map((one) => before(lateWeek, { what: "enrol", person: one })),
      ...(erased === undefined ? [] : [before(erasedIn, { what: "erase", person: erased })]),
      ...(assistant === null ? [] : [before(inWeek(1), { what: "demote", person: assistant })]),
      before(inWeek(1), { what: "sections", person, sections: [`${id}01`] }),
      before(correction, { what: "release by hand" }),
      before(removedIn, { what: "remove column" }),
      after(inWeek(0), { what: "late is worth", percents: drawPercents(chance) }),
      after(correction, {
        what: "correct",
        session: String(correction),
        person,
        status: oneOf(chance, statuses),
      }),
      after(correction, { what: "release all" }),
      // The tool learns that a column is gone when it sends a grade: not while an instructor holds all of them, or while none changes.
      after(removedIn, { what: "correct", session: String(removedIn), person, status: "LATE" }),
      after(removedIn, { what: "late is worth", percents: [55] }),
      after(removedIn, { what: "make column" }),
    ],
  };
}

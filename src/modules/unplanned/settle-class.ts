import type { AttendanceRecord } from "../attendance/store/attendance-stores.ts";
import type { App } from "../../app.ts";
import { type AttendanceObservation, withSuggestion } from "../../domain/attendance.ts";
import { type Course, keyOfCourse, defaultUnplannedRule } from "../../domain/course.ts";
import { byKey, slicesOf } from "../../kernel/lists.ts";
import { runNextTask, type RunTaskDeps } from "../../tasks/run-task.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { isInClass, registerRow } from "../attendance/rules/register.ts";
import { gradeAfterChange } from "../grading/regrade.ts";
import { memberSlices } from "../members/sections.ts";
import { factsOf, findSession, ownRecord } from "../scheduling/show-sessions.ts";
import { sessionIdOf, type UnplannedClass } from "./rules/compare-classes.ts";
import { absent, type Suggestion, suggestionsFrom } from "./rules/found-class.ts";
import { unplannedSessions } from "./answer-class.ts";
import { type VisitsApp, visitsOfSpace } from "./visits-of-space.ts";

type SettlingApp = VisitsApp &
  GradingApp &
  Pick<App, "unplannedClasses" | "courses" | "events" | "sessionPlans"> &
  Pick<App, "attendance" | "whileSessionsChange" | "translatorOf">;

/** How many learners' facts are written and graded together. If a process is killed, they are repeated. */
const batchSize = 200;

/** Carries out the answer that has been due longest. @returns false if none is due. */
export function settleNext(app: SettlingApp & RunTaskDeps): Promise<boolean> {
  return runNextTask(app, unplannedSessions, {
    run: async ({ payload: { id } }) => {
      await settleClass(app, id);
      return { nextAt: null };
    },
  });
}

/** Makes sessions and attendance follow the answer about a class. Repeatable, and writes nothing twice. */
async function settleClass(app: SettlingApp, id: string): Promise<void> {
  const found = await app.unplannedClasses.find(id);
  const course = found === null ? null : await app.courses.find(found.courseId);
  if (found === null || course === null || found.state === "waiting") return;
  await countPostponed(app, course, found);
  if (found.state === "class") {
    await make(app, course, found);
  } else {
    if (found.state === "planned") await handOverMarks(app, course, found);
    await takeAway(app, course, found);
  }
  await app.unplannedClasses.settle(found);
}

async function make(app: SettlingApp, course: Course, found: UnplannedClass): Promise<void> {
  const { environment } = course;
  const { spaceId, startsAt, endsAt } = found;
  const eventId = sessionIdOf(found);
  const made = await app.events.find(environment, eventId);
  // It may have the times of an answer that was taken back only a moment ago.
  if (made === null || made.startsAt !== startsAt || made.endsAt !== endsAt) {
    const postponed =
      found.eventId === null ? null : await findSession(app, course, `event:${found.eventId}`);
    const usual = app.translatorOf(course.language)("unplanned.sessionTitle");
    const { title: itsTitle = null, sectionIds = [] } = postponed === null ? {} : factsOf(postponed);
    const title = found.title ?? itsTitle ?? usual;
    const facts = { title, startsAt, endsAt, sectionIds, cancelled: false, readAt: app.clock.now() };
    await app.whileSessionsChange(course, async () => {
      await app.events.removeOwn(environment, eventId);
      await app.events.keepOwn({ environment, eventId, spaceId, courseId: course.id, ...facts });
    });
  }
  await suggest(app, course, found);
}

/** A session postponed to this class doesn't count while the class does. */
async function countPostponed(app: SettlingApp, course: Course, found: UnplannedClass): Promise<void> {
  const counts = found.state !== "class";
  const record = found.eventId === null ? null : await findSession(app, course, `event:${found.eventId}`);
  if (record === null || (record.plan?.counts ?? true) === counts) return;
  await app.whileSessionsChange(course, async () => {
    const plan = await ownRecord(app, course, record, app.clock.now());
    if (!(await app.sessionPlans.change(plan, { counts })))
      throw refusal("session-changed-meanwhile", { temporary: true });
  });
}

/** Marks made by hand in the unplanned session are about the same hour, so they move to the planned session. */
async function handOverMarks(app: SettlingApp, course: Course, found: UnplannedClass): Promise<void> {
  const { registrationId, id: courseId } = course;
  const { eventId } = found;
  if (eventId === null) return;
  const marked = [...(await recordsOf(app, course, found)).values()].flatMap((record) => {
    const [correction] = record.corrections;
    return correction === undefined || correction.status === null ? [] : [{ record, correction }];
  });
  const people = await app.people.findMany(marked.map(({ record }) => record.personId));
  await gradeAfterChange(app, course, people, async () => {
    for (const { record, correction } of marked) {
      const { personId, sectionIds } = record;
      const first = { id: app.ids.id("att"), sectionIds };
      await app.attendance.correct({ registrationId, courseId, personId, eventId }, correction, first);
      const removal = { ...correction, status: null, at: correction.at + 1 };
      const own = { registrationId, courseId, personId, eventId: sessionIdOf(found) };
      await app.attendance.correct(own, removal, first);
    }
  });
}

/** Gives every learner in the register what their time suggests. Those who weren't there are absent. */
async function suggest(app: SettlingApp, course: Course, found: UnplannedClass): Promise<void> {
  const key = keyOfCourse(course);
  const span = { from: found.startsAt, to: found.endsAt };
  const visits = await visitsOfSpace(app, course, found.spaceId, span);
  const suggestions = suggestionsFrom(visits, found, found.rule ?? defaultUnplannedRule);
  const records = await recordsOf(app, course, found);
  const session = await app.events.find(course.environment, sessionIdOf(found));
  const { startsAt } = found;
  const register = { sectionIds: session?.sectionIds ?? [], startsAt };
  for await (const members of memberSlices(app, key, batchSize)) {
    const suggested = members.flatMap((member): SuggestedFor[] => {
      const { personId, sectionIds } = member;
      const seen = suggestions.get(personId);
      // A person seen in the Space attended, even before the LMS listed them or with an account that is joined to another.
      const attended = { ...member, joinedAt: null, joinedTo: null };
      const row = registerRow(register, seen === undefined ? member : attended, null);
      if (row === null || !isInClass(row, null)) return [];
      return [{ personId, sectionIds, suggestion: seen ?? absent(found) }];
    });
    await write(app, course, found, records, suggested);
  }
}

type SuggestedFor = { personId: string; sectionIds: readonly string[]; suggestion: Suggestion | null };

/** Writes only what differs. Grades follow even if this process ends in between. */
async function write(
  app: SettlingApp,
  course: Course,
  found: UnplannedClass,
  records: ReadonlyMap<string, AttendanceRecord>,
  suggested: readonly SuggestedFor[],
): Promise<void> {
  const { registrationId, id: courseId } = course;
  const eventId = sessionIdOf(found);
  const changed = suggested.flatMap((one) => {
    const history = records.get(one.personId)?.history ?? [];
    const observation = observationOf(found, one.suggestion);
    return withSuggestion(history, observation) === history ? [] : [{ ...one, observation }];
  });
  if (changed.length === 0) return;
  const people = await app.people.findMany(changed.map(({ personId }) => personId));
  await gradeAfterChange(app, course, people, async () => {
    await Promise.all(
      changed.map(({ personId, sectionIds, observation }) =>
        app.attendance.suggest({ registrationId, courseId, eventId, personId }, observation, {
          id: app.ids.id("att"),
          sectionIds,
        }),
      ),
    );
  });
}

/** Dated at the class's end, so no mark looks older than it. */
function observationOf(
  { endsAt }: UnplannedClass,
  suggestion: Suggestion | null,
): AttendanceObservation | null {
  if (suggestion === null) return null;
  const { status, seen } = suggestion;
  return { status, notes: null, at: endsAt, updatedBy: null, as: "presence", seen };
}

async function takeAway(app: SettlingApp, course: Course, found: UnplannedClass): Promise<void> {
  const { environment } = course;
  const eventId = sessionIdOf(found);
  if ((await app.events.find(environment, eventId)) === null) return;
  const records = await recordsOf(app, course, found);
  // The session was marked after the answer, so it was a session.
  if (found.state === "none" && [...records.values()].some(({ corrections }) => corrections.length > 0)) {
    const { by, answeredAt, rule, eventId: postponed } = found;
    await app.unplannedClasses.answer(found, "class", { by, answeredAt, rule, eventId: postponed });
    return;
  }
  const suggested = [...records.values()].map(({ personId, sectionIds }): SuggestedFor => ({
    personId,
    sectionIds,
    suggestion: null,
  }));
  for (const batch of slicesOf(suggested, batchSize)) await write(app, course, found, records, batch);
  // Done last: as long as the session exists, work of a killed process can resume.
  await app.whileSessionsChange(course, async () => {
    await app.sessionPlans.forgetFound(environment, eventId);
    await app.events.removeOwn(environment, eventId);
  });
}

async function recordsOf(
  { attendance }: Pick<App, "attendance">,
  { registrationId, id }: Course,
  found: UnplannedClass,
): Promise<Map<string, AttendanceRecord>> {
  const records = await attendance.listOfEvent(registrationId, id, sessionIdOf(found));
  return byKey(records, ({ personId }) => personId);
}

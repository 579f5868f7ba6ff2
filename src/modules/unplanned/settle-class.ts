import type { App } from "../../app.ts";
import { type AttendanceObservation, withSuggestion } from "../../domain/attendance.ts";
import type { Course } from "../../domain/course.ts";
import { defaultUnplannedRule } from "../../domain/unplanned-rule.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { type RunTaskDeps, runNextTask } from "../../tasks/run-task.ts";
import { isInClass, registerRow } from "../attendance/rules/register.ts";
import type { AttendanceRecord } from "../attendance/store/attendance-store.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "../grading/grade-after-change.ts";
import { sessionIdOf, type UnplannedClass } from "./rules/records.ts";
import { absent, type Suggestion, suggestionsFrom } from "./rules/suggest-attendance.ts";
import { unplannedSessions } from "./unplanned-sessions.ts";
import { visitsOfSpace, type VisitsOfSpaceDeps } from "./visits-of-space.ts";

export type SettleClassDeps = VisitsOfSpaceDeps &
  GradeAfterChangeDeps &
  Pick<
    App,
    | "unplannedClasses"
    | "courses"
    | "events"
    | "sessionPlans"
    | "attendance"
    | "whileSessionsChange"
    | "translatorOf"
  >;

/** Learners whose facts are written and graded together; a killed process repeats them. */
const batchSize = 200;

/** Carries out the answer due longest. @returns false when none is due. */
export function settleNext(deps: SettleClassDeps & RunTaskDeps): Promise<boolean> {
  return runNextTask(deps, unplannedSessions, {
    run: async ({ payload: { id } }) => {
      await settleClass(deps, id);
      return { nextAt: null };
    },
  });
}

/** Sessions and attendance become what the answer about a class says. Repeatable; what is so already is not written. */
export async function settleClass(deps: SettleClassDeps, id: string): Promise<void> {
  const found = await deps.unplannedClasses.find(id);
  const course = found === null ? null : await deps.courses.find(found.courseId);
  if (found === null || course === null || found.state === "waiting") return;
  if (found.state === "class") await make(deps, course, found);
  else await takeAway(deps, course, found);
  await deps.unplannedClasses.settle(found);
}

async function make(deps: SettleClassDeps, course: Course, found: UnplannedClass): Promise<void> {
  const { environment } = course;
  const eventId = sessionIdOf(found);
  if ((await deps.events.find(environment, eventId)) === null) {
    const { spaceId, startsAt, endsAt } = found;
    const title = deps.translatorOf(course.language ?? null)("unplanned.sessionTitle");
    const facts = { title, startsAt, endsAt, cancelled: false, readAt: deps.clock.now() };
    await deps.whileSessionsChange(course, () =>
      deps.events.keepOwn({ environment, eventId, spaceId, courseId: course.id, ...facts }),
    );
  }
  await suggest(deps, course, found);
}

/** Everybody the register lists gets what their time suggests; who was not there is absent. */
async function suggest(deps: SettleClassDeps, course: Course, found: UnplannedClass): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const span = { from: found.startsAt, to: found.endsAt };
  const visits = await visitsOfSpace(deps, course, found.spaceId, span);
  const suggestions = suggestionsFrom(visits, found, found.rule ?? defaultUnplannedRule);
  const records = await recordsOf(deps, course, found);
  for (let after = ""; ;) {
    const members = await deps.members.listAfter(key, after, batchSize);
    const wanted = members.flatMap((member): Wanted[] => {
      const row = registerRow({ sectionIds: [] }, member, null);
      if (row === null || !isInClass(row, null)) return [];
      const { personId, sectionIds } = member;
      return [{ personId, sectionIds, suggestion: suggestions.get(personId) ?? absent(found) }];
    });
    await write(deps, course, found, records, wanted);
    const last = members.at(-1);
    if (last === undefined || members.length < batchSize) return;
    after = last.personId;
    await letOthersRun();
  }
}

type Wanted = { personId: string; sectionIds: readonly string[]; suggestion: Suggestion | null };

/** Only what differs. Grades follow even if this process ends in between. */
async function write(
  deps: SettleClassDeps,
  course: Course,
  found: UnplannedClass,
  records: ReadonlyMap<string, AttendanceRecord>,
  wanted: readonly Wanted[],
): Promise<void> {
  const { registrationId, id: courseId } = course;
  const eventId = sessionIdOf(found);
  const changed = wanted.flatMap((one) => {
    const history = records.get(one.personId)?.history ?? [];
    const observation = observationOf(found, one.suggestion);
    return withSuggestion(history, observation) === history ? [] : [{ ...one, observation }];
  });
  if (changed.length === 0) return;
  const people = await deps.people.findMany(changed.map(({ personId }) => personId));
  await gradeAfterChange(deps, course, people, async () => {
    await Promise.all(
      changed.map(({ personId, sectionIds, observation }) =>
        deps.attendance.suggest({ registrationId, courseId, eventId, personId }, observation, {
          ...{ id: deps.ids.id("att"), sectionIds },
        }),
      ),
    );
  });
}

/** Of the class's end, so that no mark looks older than it. */
function observationOf(
  { endsAt }: UnplannedClass,
  suggestion: Suggestion | null,
): AttendanceObservation | null {
  if (suggestion === null) return null;
  const { status, seen } = suggestion;
  return { status, notes: null, at: endsAt, updatedBy: null, as: "presence", seen };
}

async function takeAway(deps: SettleClassDeps, course: Course, found: UnplannedClass): Promise<void> {
  const { environment } = course;
  const eventId = sessionIdOf(found);
  if ((await deps.events.find(environment, eventId)) === null) return;
  const records = await recordsOf(deps, course, found);
  // Marked between the answer and this: whoever did it says that it was a session.
  if ([...records.values()].some(({ corrections }) => corrections.length > 0)) {
    await deps.unplannedClasses.answer(found, "class", {
      by: found.by,
      answeredAt: found.answeredAt,
      rule: found.rule,
    });
    return;
  }
  const wanted = [...records.values()].map(({ personId, sectionIds }): Wanted => {
    return { personId, sectionIds, suggestion: null };
  });
  for (let from = 0; from < wanted.length; from += batchSize)
    await write(deps, course, found, records, wanted.slice(from, from + batchSize));
  // Last: as long as it is there, a killed process goes on.
  await deps.whileSessionsChange(course, async () => {
    await deps.sessionPlans.forgetFound(environment, eventId);
    await deps.events.removeOwn(environment, eventId);
  });
}

async function recordsOf(
  { attendance }: Pick<App, "attendance">,
  { registrationId, id }: Course,
  found: UnplannedClass,
): Promise<Map<string, AttendanceRecord>> {
  const records = await attendance.listOfEvent(registrationId, id, sessionIdOf(found));
  return new Map(records.map((record) => [record.personId, record]));
}

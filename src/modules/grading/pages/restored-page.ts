import type { Response } from "express";
import { eventOfColumn } from "../rules/column.ts";
import { unknownSession } from "../../scheduling/rules/course-session.ts";
import type { Course } from "../../../domain/course.ts";
import type { Delivery } from "../rules/delivery.ts";
import { listedName, toldName } from "../../../domain/person-name.ts";
import { countCompared, type CountComparedDeps } from "../restored-scores.ts";
import { mostDiffering } from "../decide-restored.ts";
import { listSessions, type ListSessionsDeps } from "../../scheduling/list-sessions.ts";
import type { DeliveryStore } from "../store/delivery-store.ts";
import type { PersonStore } from "../../members/store/person-store.ts";
import type { RestoreStore } from "../../operations/store/restore-store.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Sessions } from "../../../web/session.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import { courseTimes, type CourseTimes } from "../../../web/course-times.ts";
import { columnName } from "./grades-view.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { scoreText } from "./score-words.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type RestoredNoteDeps = CountComparedDeps & {
  restores: Pick<RestoreStore, "findCourse" | "keepOpen">;
};

export type RestoredPageDeps = RestoredNoteDeps &
  ListSessionsDeps & {
    deliveries: Pick<DeliveryStore, "listDiffering" | "countCompared">;
    people: Pick<PersonStore, "findMany">;
    sessions: Sessions;
    translatorOf: TranslatorOf;
  };

/** What the page of grades says after a restore; null when nothing is left to say. */
export async function restoredNote(
  deps: RestoredNoteDeps,
  course: Pick<Course, "id" | "registrationId">,
  { t, times }: { t: Translate; times: CourseTimes },
): Promise<{ lines: string[]; differs: boolean } | null> {
  const restored = await deps.restores.findCourse(course.id);
  if (restored === null) return null;
  const { waiting, differing, unread } = await countCompared(deps, {
    registrationId: course.registrationId,
    courseId: course.id,
  });
  if (waiting + differing + unread === 0) return null;
  const when = times.text(restored.restoredAt);
  const number = (count: number) => ({ number: numberText(t, count) });
  return {
    lines: [
      restored.backupAt === null
        ? t("restored.textUnknown", { when })
        : t("restored.text", { when, backup: times.text(restored.backupAt) }),
      ...(waiting === 0 ? [] : [t("restored.stillToCompare", number(waiting))]),
      ...(differing === 0 ? [] : [t("restored.different", number(differing))]),
      ...(unread === 0 ? [] : [t("restored.unread", number(unread))]),
    ],
    differs: differing > 0,
  };
}

/** Renders the scores of a course that differ from the gradebook since a restore. @param news What was just done. */
export async function renderRestored(
  deps: RestoredPageDeps,
  { session, course }: InstructorVisit,
  response: Response,
  news: { decided: number } | "nothing-chosen" | null,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const courseName = courseNameOf(t, course);
  const place = { registrationId: course.registrationId, courseId: course.id };
  const differing = await deps.deliveries.listDiffering(place, mostDiffering);
  response.render("course/grades-restored", {
    t,
    title: t("restored.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    note: await restoredNote(deps, course, { t, times }),
    rows: await rowsOf(deps, course, differing, t),
    news: newsText(t, news),
  });
}

function newsText(t: Translate, news: { decided: number } | "nothing-chosen" | null): string | null {
  if (news === null) return null;
  return news === "nothing-chosen"
    ? t("restored.nothingChosen")
    : t("restored.decided", { number: numberText(t, news.decided) });
}

async function rowsOf(
  deps: RestoredPageDeps,
  course: Course,
  differing: readonly Delivery[],
  t: Translate,
): Promise<{ id: string; name: string; column: string | null; ours: string; theirs: string }[]> {
  const people = new Map(
    (await deps.people.findMany([...new Set(differing.map(({ personId }) => personId))])).map((person) => [
      person.id,
      person,
    ]),
  );
  const sessions = new Map((await listSessions(deps, course)).map((one) => [one.eventId, one]));
  return differing.map(({ id, personId, sub, columnKey, desired, foreign }) => {
    const person = people.get(personId);
    const eventId = eventOfColumn(columnKey);
    const session = eventId === null ? null : (sessions.get(eventId) ?? unknownSession(eventId));
    return {
      id,
      name: listedName({ name: person === undefined ? null : toldName(person), sub }),
      column: session === null ? null : columnName(t, course, session),
      ours: scoreText(t, desired),
      theirs: scoreText(t, foreign),
    };
  });
}

import { z } from "zod";
import type { App } from "../../../app.ts";
import { eventOfColumn } from "../rules/column.ts";
import { unknownSession } from "../../scheduling/rules/course-session.ts";
import type { Course } from "../../../domain/course.ts";
import type { Delivery } from "../rules/delivery.ts";
import { listedName, fullName } from "../../../domain/person-name.ts";
import { maxDiffering } from "../decide-restored.ts";
import { listSessions } from "../../scheduling/list-sessions.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { numberText } from "../../../web/number-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { columnName } from "./gradebook-words.ts";
import { type RestoredNote, restoredNote } from "./restored-note.ts";
import { scoreText } from "./score-words.ts";

export type RestoredPage = CourseFrame & {
  note: RestoredNote | null;
  rows: { id: string; name: string; column: string | null; ours: string; theirs: string }[];
  news: string | null;
};

const restoredView = defineView<RestoredPage>("course/grades-restored");

/** What was just done: for how many scores it was decided. */
export const restoredNews = z.union([z.object({ decided: z.number() }), z.literal("nothing-chosen")]);
export type RestoredNews = z.infer<typeof restoredNews>;

export async function restoredPage(
  app: App,
  { session, course }: InstructorVisit,
  news: RestoredNews | null,
): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const place = { registrationId: course.registrationId, courseId: course.id };
  const differing = await app.deliveries.listDiffering(place, maxDiffering);
  return page(restoredView, {
    title: t("restored.title", { course: courseNameOf(t, course) }),
    note: await restoredNote(app, course, { t, times }),
    rows: await rowsOf(app, course, differing, t),
    news: newsText(t, news),
  });
}

function newsText(t: Translate, news: RestoredNews | null): string | null {
  if (news === null) return null;
  return news === "nothing-chosen"
    ? t("restored.nothingChosen")
    : t("restored.decided", { number: numberText(t, news.decided) });
}

async function rowsOf(
  app: App,
  course: Course,
  differing: readonly Delivery[],
  t: Translate,
): Promise<RestoredPage["rows"]> {
  const people = new Map(
    (await app.people.findMany([...new Set(differing.map(({ personId }) => personId))])).map((person) => [
      person.id,
      person,
    ]),
  );
  const sessions = new Map((await listSessions(app, course)).map((one) => [one.eventId, one]));
  return differing.map(({ id, personId, sub, columnKey, desired, foreign }) => {
    const person = people.get(personId);
    const eventId = eventOfColumn(columnKey);
    const session = eventId === null ? null : (sessions.get(eventId) ?? unknownSession(eventId));
    return {
      id,
      name: listedName({ name: person === undefined ? null : fullName(person), sub }),
      column: session === null ? null : columnName(t, course, session, null),
      ours: scoreText(t, desired),
      theirs: scoreText(t, foreign),
    };
  });
}

import type { App } from "../../../app.ts";
import { listPublished } from "../list-published.ts";
import { isUnderWay } from "../look-again.ts";
import { listRecordings } from "../list-recordings.ts";
import type { RecordingRule } from "../store/recording-decision-store.ts";
import { type RecordingReading, recordingReadings } from "../recording-readings.ts";
import type { Translate } from "../../../web/translate.ts";
import { classroomProblemText, moreText } from "../../../web/page-text.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { defineView } from "../../../web/view.ts";
import type { MyVisit } from "../../../web/visits.ts";
import { type RecordingGroup, type RecordingWords, recordingGroups } from "./recordings-view.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";

export type RecordingsPage = CourseFrame & {
  teaches: boolean;
  notice: Notice | null;
  zone: string;
  groups: RecordingGroup[];
  page: number;
  pages: number;
  /** No Space of the course is known, so nothing can have been recorded. */
  noSpace: boolean;
  /** Of the classroom's lists; null for learners. */
  look: { under: boolean; readAt: string; troubles: string[] } | null;
  /** For new recordings; null for learners. */
  rule: RecordingRule | null;
  /** The rule was saved just now: its form is open. */
  ruleSaved: boolean;
};

const recordingsView = defineView<RecordingsPage>("course/recordings");

const pageSize = 20;

export async function recordingsPage(
  app: App,
  visit: MyVisit,
  { page: wanted, notice, ruleSaved }: { page: number; notice: Notice | null; ruleSaved: boolean },
): Promise<PageAnswer> {
  const { course, member } = visit;
  const teaches = member.role === "instructor";
  const words: RecordingWords = { ...(await courseWords(app, visit)), teaches };
  const { t } = words;
  const shown = teaches
    ? await listRecordings(app, course)
    : { ...nothingBeside, recordings: await listPublished(app, course, member) };
  const groups = recordingGroups(words, shown.recordings, shown);
  const pages = Math.max(1, Math.ceil(groups.length / pageSize));
  const at = Math.min(wanted, pages);
  return page(
    recordingsView,
    {
      title: t("recordings.title", { course: courseNameOf(t, course) }),
      teaches,
      notice,
      zone: t("sessions.zone.shown", { zone: words.times.place(app.clock.now()) }),
      groups: groups.slice((at - 1) * pageSize, at * pageSize),
      page: at,
      pages,
      noSpace: teaches && shown.spaces.length === 0,
      look: teaches ? await lookView(app, words, course.environment, shown.spaces) : null,
      rule: teaches ? await app.recordingDecisions.ruleOf(course.id) : null,
      ruleSaved,
    },
    // A recording opens in answer to a form, and the classroom may lead on to wherever it keeps them.
    { formsTo: ["https:"] },
  );
}

const nothingBeside = { sessions: [], awaited: [], spaces: [] };

async function lookView(
  app: Pick<App, "tasks">,
  { t, times }: RecordingWords,
  environment: MyVisit["course"]["environment"],
  spaces: readonly { spaceId: string }[],
) {
  const lists = spaces.map(({ spaceId }) => ({ environment, spaceId }));
  const readings = await app.tasks.findMany(recordingReadings, lists);
  const read = readings.flatMap(({ facts }) => (facts.readAt === null ? [] : [facts.readAt]));
  return {
    under: readings.some(isUnderWay),
    readAt:
      read.length === 0
        ? t("recordings.look.never")
        : t("recordings.look.readAt", { when: times.text(Math.min(...read)) }),
    troubles: [...new Set(readings.flatMap((reading) => troublesOf(t, reading)))],
  };
}

function troublesOf(t: Translate, { facts, problem }: RecordingReading): string[] {
  const { offered, unplaced, unfinished } = facts;
  const why = classroomProblemText(t, problem?.text ?? null, problem?.code);
  return [
    ...(offered === false ? [t("recordings.look.notOffered")] : []),
    ...(why === null ? [] : [t("recordings.look.problem", { problem: why })]),
    ...(unfinished === null ? [] : [`${t("recordings.look.more")} ${moreText(t, unfinished)}`]),
    ...(unplaced === 0 ? [] : [t("recordings.look.unplaced", { count: unplaced })]),
  ];
}

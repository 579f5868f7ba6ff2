import type { Response } from "express";
import { listPublished } from "../list-published.ts";
import { isUnderWay } from "../look-again.ts";
import { listRecordings, type ListRecordingsDeps } from "../list-recordings.ts";
import type { RecordingDecisionStore, RecordingRule } from "../store/recording-decision-store.ts";
import type { TaskQueue } from "../../../tasks/task-queue.ts";
import { type RecordingReading, recordingReadings } from "../recording-readings.ts";
import { allowFormsTo } from "../../../web/form-targets.ts";
import type { Translate } from "../../../web/translate.ts";
import { moreText } from "../../../web/more-text.ts";
import { classroomProblemText } from "../../../web/classroom-words.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import type { MyVisit } from "../../../web/my-visit.ts";
import { type RecordingGroup, type RecordingWords, recordingGroups } from "./recordings-view.ts";
import { type Notice, pageFrame, type SessionPageDeps } from "../../scheduling/pages/session-page.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";

export type RecordingsPageDeps = SessionPageDeps &
  ListRecordingsDeps & {
    courses: SessionPageDeps["courses"] & ListRecordingsDeps["courses"];
    recordingDecisions: Pick<RecordingDecisionStore, "listOfCourse" | "ruleOf">;
    tasks: Pick<TaskQueue, "findMany">;
  };

/** The recordings of a course. */
export type RecordingsPage = CourseFrame & {
  teaches: boolean;
  notice: Notice | null;
  zone: string;
  groups: RecordingGroup[];
  page: number;
  pages: number;
  /** No Space of the course is known, so nothing can have been recorded. */
  noSpace: boolean;
  /** What is known of the classroom's lists; null for learners. */
  look: { under: boolean; readAt: string; troubles: string[] } | null;
  /** What becomes of new recordings; null for learners. */
  rule: RecordingRule | null;
};

const recordingsPage = defineView<RecordingsPage>("course/recordings");

const perPage = 20;

/** Renders the recordings of a course as its reader may see them. */
export async function renderRecordings(
  deps: RecordingsPageDeps,
  visit: MyVisit,
  { page, notice }: { page: number; notice: Notice | null },
  response: Response,
): Promise<void> {
  const { course, member } = visit;
  const teaches = member.role === "instructor";
  const words: RecordingWords = { ...(await courseWords(deps, visit)), teaches };
  const { t } = words;
  const shown = teaches
    ? await listRecordings(deps, course)
    : { ...nothingBeside, recordings: await listPublished(deps, course, member) };
  const groups = recordingGroups(words, shown.recordings, shown);
  const pages = Math.max(1, Math.ceil(groups.length / perPage));
  const at = Math.min(page, pages);
  // A recording opens in answer to a form, and the classroom may lead on to wherever it keeps them.
  allowFormsTo(response, ["https:"]);
  renderView(response, recordingsPage, {
    ...(await pageFrame(deps, visit, t)),
    title: t("recordings.title", { course: courseNameOf(t, course) }),
    teaches,
    notice,
    zone: t("recordings.zone", { zone: words.times.zone }),
    groups: groups.slice((at - 1) * perPage, at * perPage),
    page: at,
    pages,
    noSpace: teaches && shown.spaces.length === 0,
    look: teaches ? await lookView(deps, words, course.environment, shown.spaces) : null,
    rule: teaches ? await deps.recordingDecisions.ruleOf(course.id) : null,
  });
}

const nothingBeside = { sessions: [], awaited: [], spaces: [] };

/** What is known of the classroom's lists: when they were read, and what they do not tell. */
async function lookView(
  deps: RecordingsPageDeps,
  { t, times }: RecordingWords,
  environment: MyVisit["course"]["environment"],
  spaces: readonly { spaceId: string }[],
) {
  const lists = spaces.map(({ spaceId }) => ({ environment, spaceId }));
  const readings = await deps.tasks.findMany(recordingReadings, lists);
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

import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { cutTo } from "../../../kernel/text.ts";
import { decideRecording, decideRule, maxTitleLength, type RecordingAct } from "../decide-recording.ts";
import { listPublished, listRecordings } from "../list-recordings.ts";
import { openRecording, readRecordingText, type RecordingPart, recordingParts } from "../open-recording.ts";
import {
  isUnderWay,
  lookAgain,
  type RecordingReading,
  recordingReadings,
  untilLooked,
} from "../recording-readings.ts";
import { maxTextLength, type TextPart } from "../rules/recording.ts";
import type { RecordingRule } from "../store/recording-decision-store.ts";
import { type Answer, file, page, type PageAnswer, redirect } from "../../../web/answer.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";
import { readNews } from "../../../web/page-news.ts";
import { classroomProblemText, moreText, numberText } from "../../../web/page-text.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import { byteOrderMark, fileName } from "../../../web/table-file.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { MyVisit } from "../../../web/visits.ts";
import {
  type RecordingGroup,
  recordingGroups,
  recordingTitle,
  type RecordingWords,
} from "./recordings-view.ts";

/** A recording is elsewhere than expected: people are warned. */
export type LeavingPage = CourseFrame & { teaches: boolean; address: string; origin: string };

const leavingView = defineView<LeavingPage>("course/recordings-leave");

/** For the classroom (ms); then the page says that it is under way. */
const refreshWaitMs = 3_000;

const posted = z.object({
  page: z.coerce.number().int().min(1).max(10_000).catch(1),
  recording: z.string().max(300).catch(""),
  revision: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .catch(-1),
  act: z.enum(["publish", "hide", "describe"]).nullable().catch(null),
  title: z
    .string()
    .transform((text) => cutTo(text, maxTitleLength))
    .catch(""),
  place: z.string().max(300).catch("by-time"),
  choice: z.enum(["hidden", "published"]).nullable().catch(null),
  part: z.enum(recordingParts).catch("recording"),
});
type Posted = z.infer<typeof posted>;

/** Instructors see and change all (/look, /decide, /rule), learners open the published ones. */
export function recordingsRoutes(app: App): Router {
  const pages = coursePages(app);
  const fields = (form: unknown) => posted.parse(form);
  const member = { who: "member", fields } as const;
  const teaching = { who: "teaching", fields } as const;

  const list = pages.read(
    "/course/recordings",
    { ...member, news: readNews(saidSchema), address: ({ page: at }) => addressFields(at) },
    async ({ visit, fields: wanted }, said) => {
      if (visit.member.role === "instructor") await lookAgain(app, visit.course, "unread");
      return recordingsPage(app, visit, {
        page: wanted.page,
        notice: said === null ? null : noticeOf(app, visit, said),
        ruleSaved: said === "rule",
      });
    },
  );
  pages.change("/course/recordings/look", teaching, async ({ visit, fields: { page: at } }) => {
    await lookAgain(app, visit.course);
    await untilLooked(app, visit.course, refreshWaitMs);
    return list.after(addressFields(at), null);
  });
  pages.change("/course/recordings/decide", teaching, async ({ visit, fields: wanted }) => {
    const said = await decided(app, visit, wanted);
    return list.after(addressFields(wanted.page), said, said === null ? 200 : statuses[said]);
  });
  pages.change("/course/recordings/rule", teaching, async ({ visit, fields: wanted }) => {
    const { revision, choice } = wanted;
    const by = visit.session.personId;
    const done = choice !== null && (await decideRule(app, visit.course, { revision, by }, choice));
    const said = done ? "rule" : "conflict";
    return list.after(addressFields(wanted.page), said, statuses[said]);
  });
  pages.read("/course/recordings/text", member, ({ visit, fields: wanted }) =>
    recordingTextPage(app, visit, wanted),
  );
  pages.read("/course/recordings/text.txt", member, ({ visit, fields: wanted }) =>
    recordingTextFile(app, visit, wanted),
  );
  pages.read("/course/recordings/open", member, async ({ visit, fields: wanted, t }) => {
    const { recording: recordingId, part } = wanted;
    const opened = await openRecording(app, visit.course, visit.member, { recordingId, part });
    if (!opened.strange) return redirect(opened.address);
    return page(leavingView, {
      title: t("recordings.leaving.title"),
      teaches: visit.member.role === "instructor",
      address: opened.address,
      origin: new URL(opened.address).origin,
    });
  });
  return pages.router;
}

const addressFields = (at: number) => ({ page: String(at) });

/** Carries out what was pressed. @returns what is said about it. */
async function decided(app: App, visit: MyVisit, fields: Posted): Promise<Said | null> {
  const act = actOf(fields);
  if (act === null) return null;
  const { recording: recordingId, revision } = fields;
  const said = { publish: "published", hide: "hidden", describe: "described" } as const;
  try {
    const by = visit.session.personId;
    const done = await decideRecording(app, visit.course, { recordingId, revision, by }, act);
    return done ? said[act.what] : "conflict";
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.status !== 404) throw thrown;
    return "unknown";
  }
}

function actOf({ act, title, place }: Posted): RecordingAct | null {
  if (act !== "describe") return act === null ? null : { what: act };
  if (place.startsWith("event:")) return { what: act, title, eventId: place.slice("event:".length) };
  return { what: act, title, eventId: place === "none" ? null : "by-time" };
}

const saidSchema = z.enum(["published", "hidden", "described", "rule", "conflict", "unknown"]);
type Said = z.infer<typeof saidSchema>;
const statuses: Partial<Record<Said, number>> = { conflict: 409, unknown: 404 };

function noticeOf({ translatorOf }: App, { session }: MyVisit, said: Said): Notice {
  const tone = statuses[said] === undefined ? "good" : "warning";
  return { tone, text: translatorOf(session.locale)(`recordings.notice.${said}`) };
}

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

async function recordingsPage(
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

/** `page`: of the list to go back to. */
type Wanted = { recording: string; part: RecordingPart; page: number };

export type RecordingTextPage = CourseFrame & {
  teaches: boolean;
  recording: string;
  part: RecordingPart;
  page: number;
  text: string;
  /** Where the text is longer than what is shown. */
  cut: string | null;
};

const recordingTextView = defineView<RecordingTextPage>("course/recordings-text");

/** Said in a class, so nothing in it is taken for HTML. */
async function recordingTextPage(app: App, visit: MyVisit, wanted: Wanted): Promise<PageAnswer> {
  const { t, part, title, text, cut } = await textOf(app, visit, wanted);
  return page(recordingTextView, {
    title,
    teaches: visit.member.role === "instructor",
    recording: wanted.recording,
    part,
    page: wanted.page,
    text,
    cut: cut ? t("recordings.text.cut", { number: numberText(t, maxTextLength) }) : null,
  });
}

async function recordingTextFile(app: App, visit: MyVisit, wanted: Wanted): Promise<Answer> {
  const { t, title, text, cut } = await textOf(app, visit, wanted);
  const name = fileName(courseNameOf(t, visit.course), title);
  const end = cut ? `\n\n${t("recordings.text.cut", { number: numberText(t, maxTextLength) })}` : "";
  return file(`${name}.txt`, "text/plain; charset=utf-8", `${byteOrderMark}${text}${end}\n`);
}

async function textOf(app: App, visit: MyVisit, wanted: Wanted) {
  const { course, member, session } = visit;
  const t = app.translatorOf(session.locale);
  const part: TextPart = wanted.part === "summary" ? "summary" : "transcript";
  const { recording, ...kept } = await readRecordingText(app, course, member, {
    recordingId: wanted.recording,
    part,
  });
  const title = recordingTitle({ t, times: courseTimes(course, t.locale) }, recording);
  return { ...kept, t, part, title: t(`recordings.text.${part}Of`, { title }) };
}

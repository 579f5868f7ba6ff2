import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { onPage } from "../../../kernel/lists.ts";
import { cutTo } from "../../../kernel/text.ts";
import { type Answer, file, page, redirect } from "../../../web/answer.ts";
import { coursePages, seenRevision } from "../../../web/course-pages.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import { classroomProblemText, moreText, numberText } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { byteOrderMark, fileName } from "../../../web/table-file.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { MyVisit } from "../../../web/visits.ts";
import { listPublished, listRecordings } from "../list-recordings.ts";
import {
  decideRule,
  maxTitleLength,
  openRecording,
  readRecordingText,
  type RecordingAct,
  recordingParts,
} from "../one-recording.ts";
import {
  isUnderWay,
  readAgain,
  type RecordingReading,
  recordingReadings,
  waitForReading,
} from "../recording-readings.ts";
import { maxTextLength, type TextPart } from "../rules/recording.ts";
import {
  answerDecision,
  type Outcome,
  outcomes,
  recordingGroups,
  recordingNotice,
  recordingTitle,
} from "./recordings-view.ts";

/** How long a page waits for the classroom (ms). After that, it says that the reading is under way. */
const refreshWaitMs = 3_000;

const posted = z.object({
  page: z.coerce.number().int().min(1).max(10_000).catch(1),
  recording: z.string().max(300).catch(""),
  revision: seenRevision,
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

/** Instructors see and change everything. Learners open what is published. */
export function recordingsRoutes(app: App): Router {
  const pages = coursePages(app);
  pages
    .page("/course/recordings", {
      who: "member",
      fields: posted,
      address: ({ page }) => ({ page: String(page) }),
      news: outcomes,
      view: defineView<RecordingsPage>("course/recordings"),
      model: recordingsModel,
      // A recording opens in answer to a form, and the classroom may redirect to wherever it keeps recordings.
      formsTo: ["https:"],
    })
    .act("/course/recordings/look", {
      who: "teaching",
      run: async ({ visit, after }) => {
        await readAgain(app, visit.course);
        await waitForReading(app, visit.course, refreshWaitMs);
        return after(null);
      },
    })
    .act("/course/recordings/decide", {
      who: "teaching",
      run: async ({ visit, fields, after }) => {
        const act = actOf(fields);
        if (act === null) return after(null);
        const { outcome, status } = await answerDecision(app, visit, fields, act);
        return after(outcome, status);
      },
    })
    .act("/course/recordings/rule", {
      who: "teaching",
      run: async ({ visit: { course, session }, fields: { revision, choice }, after }) => {
        const seen = { revision, by: session.personId };
        const done = choice !== null && (await decideRule(app, course, seen, choice));
        return done ? after("rule") : after("conflict", 409);
      },
    });
  pages.page("/course/recordings/text", {
    who: "member",
    fields: posted,
    address: ({ recording, part, page }) => ({ recording, part, page: String(page) }),
    view: defineView<RecordingTextPage>("course/recordings-text"),
    model: recordingTextModel,
  });
  const member = { who: "member", fields: posted } as const;
  pages.read("/course/recordings/text.txt", member, ({ visit, fields }) => textFile(app, visit, fields));
  pages.read("/course/recordings/open", member, async ({ visit, fields, t }) => {
    const { recording: recordingId, part } = fields;
    const opened = await openRecording(app, visit.course, visit.member, { recordingId, part });
    if (!opened.strange) return redirect(opened.address);
    return page(defineView<LeavingPage>("course/recordings-leave"), {
      title: t("recordings.leaving.title"),
      address: opened.address,
      origin: new URL(opened.address).origin,
    });
  });
  return pages.router;
}

function actOf({ act, title, place }: Posted): RecordingAct | null {
  if (act !== "describe") return act === null ? null : { what: act };
  if (place.startsWith("event:")) return { what: act, title, eventId: place.slice("event:".length) };
  return { what: act, title, eventId: place === "none" ? null : "by-time" };
}

export type RecordingsPage = PageOf<typeof recordingsModel>;

const pageSize = 20;

async function recordingsModel(
  app: App,
  { visit: { course, member }, fields, words }: PageContext<"member", Posted>,
  outcome: Outcome | null,
) {
  const { t, teaches } = words;
  if (teaches) await readAgain(app, course, "unread");
  const listed = teaches
    ? await listRecordings(app, course)
    : { ...nothingBeside, recordings: await listPublished(app, course, member) };
  const { rows: groups, ...at } = onPage(
    recordingGroups(words, listed.recordings, listed),
    fields.page,
    pageSize,
  );
  const forTeachers = teaches ? await teachersPart(app, words, course, listed.spaces) : null;
  return {
    title: t("recordings.title", { course: courseNameOf(t, course) }),
    notice: outcome === null ? null : recordingNotice(t, outcome),
    groups,
    ...at,
    /** Nothing can have been recorded. */
    noSpace: teaches && listed.spaces.length === 0,
    reading: forTeachers?.reading ?? null,
    rule: forTeachers?.rule ?? null,
    ruleSaved: outcome === "rule",
  };
}

const nothingBeside = { sessions: [], awaited: [], spaces: [] };

/** How the classroom's lists were read, and what happens to new recordings. */
async function teachersPart(
  app: App,
  { t, times }: PageWords,
  { id, environment }: Course,
  spaces: readonly { spaceId: string }[],
) {
  const lists = spaces.map(({ spaceId }) => ({ environment, spaceId }));
  const readings = await app.tasks.findMany(recordingReadings, lists);
  const read = readings.flatMap(({ facts }) => (facts.readAt === null ? [] : [facts.readAt]));
  const reading = {
    under: readings.some(isUnderWay),
    readAt:
      read.length === 0
        ? t("recordings.look.never")
        : t("recordings.look.readAt", { when: times.text(Math.min(...read)) }),
    troubles: [...new Set(readings.flatMap((one) => troublesOf(t, one)))],
  };
  return { reading, rule: await app.recordingDecisions.ruleOf(id) };
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

export type RecordingTextPage = PageOf<typeof recordingTextModel>;

/** Written in a class, so nothing in it may be taken for HTML. */
async function recordingTextModel(app: App, { visit, fields, words }: PageContext<"member", Posted>) {
  const { text, cut, ...about } = await textOf(app, visit, fields, words.t);
  const { recording, page: listPage } = fields;
  return { ...about, recording, page: listPage, text, cut: cut ? cutText(words.t) : null };
}

async function textFile(app: App, visit: MyVisit, fields: Posted): Promise<Answer> {
  const t = app.translatorOf(visit.session.locale);
  const { title, text, cut } = await textOf(app, visit, fields, t);
  const name = fileName(courseNameOf(t, visit.course), title);
  const end = cut ? `\n\n${cutText(t)}` : "";
  return file(`${name}.txt`, "text/plain; charset=utf-8", `${byteOrderMark}${text}${end}\n`);
}

async function textOf(app: App, { course, member }: MyVisit, fields: Posted, t: Translate) {
  const part: TextPart = fields.part === "summary" ? "summary" : "transcript";
  const requested = { recordingId: fields.recording, part };
  const { recording, text, cut } = await readRecordingText(app, course, member, requested);
  const title = recordingTitle({ t, times: courseTimes(course, t.locale) }, recording);
  return { title: t(`recordings.text.${part}Of`, { title }), part, text, cut };
}

function cutText(t: Translate): string {
  return t("recordings.text.cut", { number: numberText(t, maxTextLength) });
}

/** A recording is elsewhere than expected, so people are warned. */
export type LeavingPage = CourseFrame & { address: string; origin: string };

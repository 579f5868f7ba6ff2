import { maxTextLength, type TextPart } from "../rules/recording-text.ts";
import { type RecordingPart, readRecordingText } from "../open-recording.ts";
import { byteOrderMark, fileName } from "../../../web/table-file.ts";
import { numberText } from "../../../web/page-text.ts";
import { courseTimes } from "../../../web/course-times.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { type Answer, file, type PageAnswer, page } from "../../../web/answer.ts";
import { defineView } from "../../../web/view.ts";
import type { App } from "../../../app.ts";
import type { MyVisit } from "../../../web/visits.ts";
import { recordingTitle } from "./recordings-view.ts";
import { courseNameOf } from "../../../web/course-words.ts";

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
export async function recordingTextPage(app: App, visit: MyVisit, wanted: Wanted): Promise<PageAnswer> {
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

export async function recordingTextFile(app: App, visit: MyVisit, wanted: Wanted): Promise<Answer> {
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

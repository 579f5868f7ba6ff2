import type { Response } from "express";
import { longestText, type TextPart } from "../rules/recording-text.ts";
import type { ListRecordingsDeps } from "../list-recordings.ts";
import { type RecordingPart, readRecordingText } from "../open-recording.ts";
import type { RecordingTextStore } from "../store/recording-text-store.ts";
import { byteOrderMark } from "../../../web/csv-line.ts";
import { numberText } from "../../../web/number-text.ts";
import { courseTimes } from "../../../web/course-times.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import type { MyVisit } from "../../../web/my-visit.ts";
import { recordingTitle } from "./recordings-view.ts";
import { fileName } from "../../grading/pages/send-lines.ts";
import { pageFrame, type SessionPageDeps } from "../../scheduling/pages/session-page.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type RecordingTextDeps = SessionPageDeps &
  ListRecordingsDeps & {
    courses: SessionPageDeps["courses"] & ListRecordingsDeps["courses"];
    recordingTexts: Pick<RecordingTextStore, "find">;
  };

/** Which text of which recording, and the page of recordings to go back to. */
type Wanted = { recording: string; part: RecordingPart; page: number };

/** A transcript or summary. */
export type RecordingTextPage = CourseFrame & {
  teaches: boolean;
  recording: string;
  part: RecordingPart;
  page: number;
  text: string;
  /** Said where the text is longer than what is shown. */
  cut: string | null;
};

const recordingTextPage = defineView<RecordingTextPage>("course/recordings-text");

/** Renders a transcript or summary that came as text. It is whatever was said in a class, so nothing in it is taken for HTML. */
export async function renderRecordingText(
  deps: RecordingTextDeps,
  visit: MyVisit,
  wanted: Wanted,
  response: Response,
): Promise<void> {
  const { t, part, title, text, cut } = await textOf(deps, visit, wanted);
  renderView(response, recordingTextPage, {
    ...(await pageFrame(deps, visit, t)),
    title,
    teaches: visit.member.role === "instructor",
    recording: wanted.recording,
    part,
    page: wanted.page,
    text,
    cut: cut ? t("recordings.text.cut", { number: numberText(t, longestText) }) : null,
  });
}

/** Sends the same as a file. */
export async function sendRecordingText(
  deps: RecordingTextDeps,
  visit: MyVisit,
  wanted: Wanted,
  response: Response,
): Promise<void> {
  const { t, title, text, cut } = await textOf(deps, visit, wanted);
  const name = fileName([courseNameOf(t, visit.course), title]);
  const end = cut ? `\n\n${t("recordings.text.cut", { number: numberText(t, longestText) })}` : "";
  response.attachment(`${name}.txt`);
  response.type("text/plain; charset=utf-8").send(`${byteOrderMark}${text}${end}\n`);
}

async function textOf(deps: RecordingTextDeps, visit: MyVisit, wanted: Wanted) {
  const { course, member, session } = visit;
  const t = deps.translatorOf(session.locale);
  const part: TextPart = wanted.part === "summary" ? "summary" : "transcript";
  const { recording, ...kept } = await readRecordingText(deps, course, member, {
    recordingId: wanted.recording,
    part,
  });
  const title = recordingTitle({ t, times: courseTimes(course, t.locale) }, recording);
  return { ...kept, t, part, title: t(`recordings.text.${part}Of`, { title }) };
}

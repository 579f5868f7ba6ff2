import { z } from "zod";
import type { App } from "../../../app.ts";
import { cutTo } from "../../../kernel/text.ts";
import type { PageAsked } from "../../../web/declared-page.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { type MyCheckIns, myCheckIns, type OpenCheckInsApp } from "../check-in.ts";
import { readCode, shownCode } from "../rules/check-in.ts";
import type { CodeRefused } from "../take-code.ts";

export const myCheckInNews = z.object({
  at: z.number(),
  status: z.enum(["PRESENT", "LATE"]),
  again: z.boolean(),
});
type News = z.infer<typeof myCheckInNews>;

export type MyCheckInPage = PageOf<typeof myCheckInModel>;

/** @param said What was taken, or why it was not. */
export async function myCheckInModel(
  app: OpenCheckInsApp & Pick<App, "attendance">,
  { visit: { course, member }, fields: { code }, words }: PageAsked<"member", { code: string }>,
  said: News | CodeRefused | null,
) {
  const { t, times } = words;
  const read = readCode(code);
  return {
    title: t("checkIn.mine.title", { course: courseNameOf(t, course) }),
    notice: said === null || typeof said === "string" ? null : noticeOf(words, said),
    ...checkInField(t, times, await myCheckIns(app, course, member)),
    typed: read === null ? cutTo(code, 20) : shownCode(read),
    problem: typeof said === "string" ? t(`checkIn.mine.problems.${said}`) : null,
  };
}

function noticeOf({ t, times }: PageWords, { at, status, again }: News): Notice {
  const key = again ? "again" : status === "LATE" ? "late" : "taken";
  return { tone: "good", text: t(`checkIn.mine.${key}`, { time: times.clock(at) }) };
}

/** The field for a code, with its form; on its own page and on a learner's home. */
export type CheckInField = CourseFrame & {
  /** Sessions for which a code is asked. */
  asked: string[];
  /** What they checked in to, as sentences. */
  done: string[];
  typed: string;
  problem: string | null;
};

export function checkInField(
  t: Translate,
  times: CourseTimes,
  { open, done }: MyCheckIns,
): Pick<CheckInField, "asked" | "done"> {
  const titleOf = (title: string | null) => title ?? t("common.untitledSession");
  return {
    asked: open.map(({ title }) => titleOf(title)),
    done: done.map(({ session: { title }, at }) =>
      t("checkIn.mine.done", { session: titleOf(title), time: times.clock(at) }),
    ),
  };
}

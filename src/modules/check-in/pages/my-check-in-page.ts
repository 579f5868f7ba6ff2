import { z } from "zod";
import type { App } from "../../../app.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { type CourseTimes, courseTimes } from "../../../web/course-times.ts";
import type { MyVisit } from "../../../web/visits.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { type ListOpenDeps, type MyCheckIns, myCheckIns } from "../check-in.ts";
import { readCode, shownCode } from "../rules/check-in.ts";
import type { CodeRefused } from "../take-code.ts";
import { cutTo } from "../../../kernel/text.ts";

export const myCheckInNews = z.object({
  at: z.number(),
  status: z.enum(["PRESENT", "LATE"]),
  again: z.boolean(),
});
export type MyCheckInNews = z.infer<typeof myCheckInNews>;

/** The field for a code, with its form; on the page of its own and on a learner's home. */
export type CheckInField = CourseFrame & {
  /** Sessions for which a code is asked. */
  asked: string[];
  /** What they checked in to, as sentences. */
  done: string[];
  typed: string;
  problem: string | null;
};

export type MyCheckInPage = CheckInField & { teaches: boolean; notice: Notice | null };

const view = defineView<MyCheckInPage>("course/check-in");

type Deps = ListOpenDeps & Pick<App, "attendance" | "translatorOf">;

/** @param refused Why what was typed was not taken. */
export async function myCheckInPage(
  deps: Deps,
  { session, course, member }: MyVisit,
  typed: string,
  { news = null, refused = null }: { news?: MyCheckInNews | null; refused?: CodeRefused | null },
): Promise<PageAnswer> {
  const t = deps.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const mine = await myCheckIns(deps, course, member);
  return page(
    view,
    {
      title: t("checkIn.mine.title", { course: courseNameOf(t, course) }),
      teaches: member.role === "instructor",
      notice: news === null ? null : noticeOf(t, times, news),
      ...checkInField(t, times, mine),
      typed,
      problem: refused === null ? null : t(`checkIn.mine.problems.${refused}`),
    },
    refused === null ? {} : { status: 422 },
  );
}

/** Of an address that was scanned: as it is shown on the screen, where it can be a code. */
export function typedIn(code: string): string {
  const read = readCode(code);
  return read === null ? cutTo(code, 20) : shownCode(read);
}

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

function noticeOf(t: Translate, times: CourseTimes, { at, status, again }: MyCheckInNews): Notice {
  const text = t(`checkIn.mine.${again ? "again" : status === "LATE" ? "late" : "taken"}`, {
    time: times.clock(at),
  });
  return { tone: "good", text };
}

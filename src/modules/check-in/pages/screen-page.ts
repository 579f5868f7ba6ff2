import qrcode from "qrcode-generator";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { type SessionShown, sessionView } from "../../attendance/pages/session-view.ts";
import { type Codes, showCheckIn, type ShownCheckIn } from "../check-in.ts";
import { openMinutes, scannedAt, shownCode, usualMinutes } from "../rules/check-in.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { courseNameOf, courseWords, type CourseWords } from "../../../web/course-words.ts";
import { numberText } from "../../../web/page-text.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { type InstructorVisit, mayIn } from "../../../web/visits.ts";

export const screenNews = z.enum(["started", "already", "stopped"]);
type ScreenNews = z.infer<typeof screenNews>;

export type ScreenPage = CourseFrame & {
  notice: Notice | null;
  about: SessionShown;
  zone: string;
  /** Why it cannot be started; null where it can, or is open. */
  closed: string | null;
  /** The course does not want it, and the reader may change that. */
  maySwitch: boolean;
  minutes: { value: number; label: string; chosen: boolean }[] | null;
  open: {
    code: string;
    /** For screen readers, letter by letter. */
    spelled: string;
    qr: QrView;
    until: string;
    /** Until something else is to be shown (ms). */
    leftMs: number;
  } | null;
  count: string;
  late: string;
};

const view = defineView<ScreenPage>("course/check-in-screen");

/** What people in the room see of a session: the code, and how many have checked in. */
export async function screenPage(
  app: App & { codes: Codes },
  visit: InstructorVisit,
  eventId: string,
  news: ScreenNews | null,
): Promise<PageAnswer> {
  const { course, session } = visit;
  const [words, shown] = await Promise.all([courseWords(app, visit), showCheckIn(app, course, eventId)]);
  const { t, times } = words;
  const now = app.clock.now();
  const about = sessionView(words, shown.session, now);
  return page(view, {
    title: t("checkIn.screen.title", { session: about.title, course: courseNameOf(t, course) }),
    notice:
      news === null
        ? null
        : { tone: news === "already" ? "warning" : "good", text: t(`checkIn.screen.news.${news}`) },
    about,
    zone: times.place(now),
    closed: closedText(words, shown),
    maySwitch: shown.state === "off" && mayIn(session, course, "settings"),
    minutes:
      shown.state !== "ready"
        ? null
        : openMinutes.map((value) => ({
            ...{ value, label: minutesText(t, value), chosen: value === usualMinutes },
          })),
    open: openView(app, words, shown, now),
    count: t("checkIn.screen.count", {
      number: numberText(t, shown.checkedIn),
      expected: numberText(t, shown.expected),
    }),
    late: t("checkIn.screen.late", { minutes: shown.lateAfter }),
  });
}

export function minutesText(t: CourseWords["t"], minutes: number): string {
  return t("checkIn.minutes", { minutes });
}

function closedText({ t, times }: CourseWords, { state, from }: ShownCheckIn): string | null {
  switch (state) {
    case "ready":
    case "open":
      return null;
    case "early":
      return t("checkIn.screen.early", { when: from === null ? "" : times.text(from) });
    default:
      return t(`checkIn.screen.${state}`);
  }
}

function openView(
  { publicUrl }: Pick<App, "publicUrl">,
  { t, times }: CourseWords,
  { open }: ShownCheckIn,
  now: number,
): ScreenPage["open"] {
  if (open === null) return null;
  const { id, code, closesAt, endsAt } = open;
  return {
    code: shownCode(code),
    spelled: Array.from(code).join(" "),
    qr: qrView(`${publicUrl}${scannedAt}/${id}?code=${code}`),
    until: t("checkIn.screen.until", { time: times.clock(closesAt) }),
    leftMs: Math.max(0, Math.min(endsAt, closesAt) - now),
  };
}

/** A QR code as one path of an SVG whose squares are one unit wide; `size` includes the white margin that readers need. */
type QrView = { size: number; path: string };

/** Squares of white on each side, as the standard asks. */
const marginSize = 4;

/** @param text Plain ASCII, such as an address. */
export function qrView(text: string): QrView {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const squares: string[] = [];
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (!code.isDark(row, column)) continue;
      squares.push(`M${String(column + marginSize)} ${String(row + marginSize)}h1v1h-1z`);
    }
  }
  return { size: count + 2 * marginSize, path: squares.join("") };
}

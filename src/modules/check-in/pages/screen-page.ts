import qrcode from "qrcode-generator";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { PageAsked } from "../../../web/declared-page.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { mayIn } from "../../../web/visits.ts";
import { sessionView } from "../../attendance/pages/session-view.ts";
import { showCheckIn } from "../check-in.ts";
import { openMinutes, scannedAt, shownCode, usualMinutes } from "../rules/check-in.ts";
import type { Codes } from "../take-code.ts";

export const screenNews = z.enum(["started", "already", "stopped"]);
type ScreenNews = z.infer<typeof screenNews>;

export type ScreenPage = PageOf<typeof screenModel>;

/** What people in the room see of a session: the code, and how many have checked in. */
export async function screenModel(
  app: App & { codes: Codes },
  { visit: { course, session }, fields, words }: PageAsked<"corrections", { event: string }>,
  news: ScreenNews | null,
) {
  const { t, number } = words;
  const shown = await showCheckIn(app, course, fields.event);
  const about = sessionView(words, shown.session);
  const minutes = openMinutes.map((value) => ({
    value,
    label: minutesText(t, value),
    chosen: value === usualMinutes,
  }));
  return {
    title: t("checkIn.screen.title", { session: about.title, course: courseNameOf(t, course) }),
    notice: news === null ? null : noticeOf(t, news),
    about,
    /** Why it cannot be started; null where it can, or is open. */
    closed: closedText(words, shown),
    maySwitch: shown.state === "off" && mayIn(session, course, "settings"),
    minutes: shown.state === "ready" ? minutes : null,
    open: openView(app, words, shown),
    count: t("checkIn.screen.count", { number: number(shown.checkedIn), expected: number(shown.expected) }),
    late: t("checkIn.screen.late", { minutes: shown.lateAfter }),
  };
}

type ShownCheckIn = Awaited<ReturnType<typeof showCheckIn>>;

function noticeOf(t: Translate, news: ScreenNews): Notice {
  return { tone: news === "already" ? "warning" : "good", text: t(`checkIn.screen.news.${news}`) };
}

export function minutesText(t: Translate, minutes: number): string {
  return t("checkIn.minutes", { minutes });
}

function closedText({ t, times }: PageWords, { state, from }: ShownCheckIn): string | null {
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
  { t, times, now }: PageWords,
  { open }: ShownCheckIn,
) {
  if (open === null) return null;
  const { id, code, closesAt, endsAt } = open;
  return {
    code: shownCode(code),
    /** For screen readers, letter by letter. */
    spelled: Array.from(code).join(" "),
    qr: qrView(`${publicUrl}${scannedAt}/${id}?code=${code}`),
    until: t("checkIn.screen.until", { time: times.clock(closesAt) }),
    /** Until something else is to be shown. */
    leftMs: Math.max(0, Math.min(endsAt, closesAt) - now),
  };
}

/** Squares of white on each side, as the standard asks. */
const marginSize = 4;

/**
 * A QR code as one path of an SVG whose squares are one unit wide; `size` includes the white margin that readers need.
 * @param text Plain ASCII, such as an address.
 */
export function qrView(text: string): { size: number; path: string } {
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

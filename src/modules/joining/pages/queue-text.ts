import type { QueueView } from "../rules/queue-position.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

export type QueueText =
  | {
      state: "waiting" | "ready";
      /** Of the tab; shows progress while the tab is in the background. */
      title: string;
      place: string;
      time: string;
      trouble: boolean;
      /** People before this one. */
      before: number;
    }
  /** The waiting is over without a way in; opening the page's address again shows why. */
  | { state: "entered" | "failed" | "gone" };

export function queueText(t: Translate, course: string, view: QueueView): QueueText {
  if (view.state === "ready") {
    const words = { title: t("waiting.titles.ready", { course }), place: t("waiting.ready"), time: "" };
    return { state: "ready", ...words, trouble: false, before: 0 };
  }
  if (view.state !== "waiting") return { state: view.state };
  const { peopleBefore, seconds, trouble } = view;
  const number = numberText(t, peopleBefore);
  const position =
    peopleBefore === 0 ? t("waiting.next") : t("waiting.before", { count: peopleBefore, number });
  const time = trouble ? t("waiting.trouble") : timeLeft(t, seconds);
  return {
    state: "waiting",
    title: titleOf(t, course, view, number),
    place: position,
    time,
    trouble,
    before: peopleBefore,
  };
}

function titleOf(
  t: Translate,
  course: string,
  { peopleBefore, trouble }: { peopleBefore: number; trouble: boolean },
  number: string,
): string {
  if (trouble) return t("waiting.titles.trouble", { course });
  return peopleBefore === 0
    ? t("waiting.titles.next", { course })
    : t("waiting.titles.before", { number, course });
}

/** Coarse while long, so that it changes seldom; in steps of five seconds at the end. */
function timeLeft(t: Translate, seconds: number): string {
  if (seconds > 90) return t("waiting.time.minutes", { minutes: numberText(t, Math.round(seconds / 60)) });
  if (seconds > 60) return t("waiting.time.minute");
  if (seconds > 30) return t("waiting.time.underMinute");
  if (seconds > 5) return t("waiting.time.seconds", { seconds: Math.ceil(seconds / 5) * 5 });
  return t("waiting.time.moment");
}

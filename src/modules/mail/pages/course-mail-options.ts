import {
  type LowShare,
  lowShares,
  type ReminderMinutes,
  reminderMinutes,
  type WeeklyMails,
} from "../../../domain/mails.ts";
import { numberText } from "../../../web/page-text.ts";
import { readerFormat } from "../../../web/course-times.ts";
import type { Translate } from "../../../web/translate.ts";

/** What a course or an institution chooses from. */
export function reminderOptions(t: Translate, chosen: ReminderMinutes) {
  return reminderMinutes.map((one) => ({
    value: String(one),
    label: minutesText(t, one),
    chosen: one === chosen,
  }));
}

/** A text such as "1 hour before". */
export function minutesText(t: Translate, minutes: ReminderMinutes): string {
  return t(`mail.course.minutes.${minutes}`);
}

export function digestOptions(t: Translate, chosen: boolean) {
  return (["no", "yes"] as const).map((value) => ({
    value,
    label: t(`mail.course.digests.${value}`),
    chosen: (value === "yes") === chosen,
  }));
}

/** @param below How many learners are below a share now. Null if learners aren't counted. */
export function lowOptions(t: Translate, chosen: LowShare, below: ((share: number) => number) | null) {
  return lowShares.map((one) => ({
    value: String(one),
    chosen: one === chosen,
    label:
      one === 0 || below === null
        ? lowText(t, one)
        : t("mail.course.lowNow", {
            share: lowText(t, one),
            count: below(one),
            number: numberText(t, below(one)),
          }),
  }));
}

function lowText(t: Translate, share: LowShare): string {
  if (share === 0) return t("common.off");
  return t("mail.course.lowBelow", { share: readerFormat(t, "UTC").percent(share / 100) });
}

/** The choices for a week as instructors read them. */
export function weeklyText(t: Translate, { digest, low }: WeeklyMails): string {
  const line = (label: string, value: string) => t("label.value", { label, value });
  return [
    line(t("mail.course.digest"), t(`mail.course.digests.${digest ? "yes" : "no"}`)),
    line(t("mail.course.low"), lowText(t, low)),
  ].join("; ");
}

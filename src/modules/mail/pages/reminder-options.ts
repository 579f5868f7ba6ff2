import { type ReminderMinutes, reminderMinutes } from "../../../domain/reminder-rule.ts";
import type { Translate } from "../../../web/translate.ts";

/** What a course or an institution chooses from. */
export function reminderOptions(t: Translate, chosen: ReminderMinutes) {
  return reminderMinutes.map((one) => ({
    ...{ value: String(one), label: minutesText(t, one), chosen: one === chosen },
  }));
}

/** "1 hour before" */
export function minutesText(t: Translate, minutes: ReminderMinutes): string {
  return t(`mail.course.minutes.${minutes}`);
}

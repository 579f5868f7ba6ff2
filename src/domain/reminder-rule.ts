/** How long before a session its people get an e-mail (minutes); 0: never. */
export const reminderMinutes = [0, 15, 30, 60, 120, 1440] as const;
export type ReminderMinutes = (typeof reminderMinutes)[number];

/** Of an institution: what holds in courses that say nothing, or in all of them. */
export type InstitutionReminders = { minutes: ReminderMinutes; locked: boolean };

export const longestReminderMs = Math.max(...reminderMinutes) * 60_000;

/** The institution's where it is locked, else the course's own, else the institution's, else none. */
export function remindersOf(
  own: ReminderMinutes | null | undefined,
  institutions: InstitutionReminders | null,
): ReminderMinutes {
  return institutions?.locked === true ? institutions.minutes : (own ?? institutions?.minutes ?? 0);
}

/** As posted by a form; null for what it does not offer. */
export function readReminderMinutes(posted: string): ReminderMinutes | null {
  return reminderMinutes.find((one) => String(one) === posted) ?? null;
}

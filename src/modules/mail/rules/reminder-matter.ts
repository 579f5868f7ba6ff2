/** What a reminder is about: a session at its time. Moved, it is another matter. */
export type ReminderMatter = { eventId: string; startsAt: number };

export function reminderMatter({ eventId, startsAt }: ReminderMatter): string {
  return `${eventId}@${startsAt}`;
}

export function matterOfReminder(about: string): ReminderMatter {
  const at = about.lastIndexOf("@");
  return { eventId: about.slice(0, at), startsAt: Number(about.slice(at + 1)) };
}

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

/** Percent of attended sessions below which a learner is mailed; 0: nobody is. */
export const lowShares = [0, 50, 60, 70, 75, 80, 90] as const;
export type LowShare = (typeof lowShares)[number];

/** What a course mails once a week. */
export type WeeklyMails = {
  /** To instructors: the week in numbers. */
  digest: boolean;
  /** To learners below this share. */
  low: LowShare;
};

/** Of an institution: what holds in courses that say nothing, or in all of them. */
export type InstitutionWeekly = WeeklyMails & { locked: boolean };

export const noWeeklyMails: WeeklyMails = { digest: false, low: 0 };

/** The institution's where it is locked, else the course's own, else the institution's, else none. */
export function weeklyOf(
  own: WeeklyMails | null | undefined,
  institutions: InstitutionWeekly | null,
): WeeklyMails {
  const { digest, low } =
    institutions?.locked === true ? institutions : (own ?? institutions ?? noWeeklyMails);
  return { digest, low };
}

/** As posted by a form; null for what it does not offer. */
export function readWeekly(posted: { digest: string; low: string }): WeeklyMails | null {
  const low = lowShares.find((one) => String(one) === posted.low);
  if (low === undefined || !["yes", "no"].includes(posted.digest)) return null;
  return { digest: posted.digest === "yes", low };
}

/** The longest address that mail servers take (RFC 5321, 4.5.3.1.3). */
const maxAddressLength = 254;

/** Of an address from outside: one plain address that cannot end a header, name a second person or be an option; null for anything else. */
export function mailAddressOf(text: string | null): string | null {
  const address = text?.trim() ?? "";
  if (address.length > maxAddressLength || !address.isWellFormed()) return null;
  return /^[^\s"(),:;<>@[\\\]\p{C}-][^\s"(),:;<>@[\\\]\p{C}]*@[\p{L}\p{N}.-]+$/u.test(address) &&
    !/@[.-]|\.\.|[.-]$/.test(address)
    ? address
    : null;
}

/** "Name <address>" or an address alone; null for anything else. */
export function namedMailAddress(text: string): { name: string; address: string } | null {
  const whole = text.trim();
  const at = whole.indexOf("<");
  if (at === -1 || !whole.endsWith(">")) {
    const alone = mailAddressOf(whole);
    return alone === null ? null : { name: "", address: alone };
  }
  const [, name] = /^"?([^"<>\p{C}]{0,100})"?$/u.exec(whole.slice(0, at).trim()) ?? [];
  const address = mailAddressOf(whole.slice(at + 1, -1));
  return address === null || name === undefined ? null : { name: name.trim(), address };
}

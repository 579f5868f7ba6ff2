/** How long before a session people get an e-mail (minutes); 0: never. */
export const reminderMinutes = [0, 15, 30, 60, 120, 1440] as const;
export type ReminderMinutes = (typeof reminderMinutes)[number];

export const longestReminderMs = Math.max(...reminderMinutes) * 60_000;

/** A learner who attended less than this percentage gets an e-mail; 0: nobody does. */
export const lowShares = [0, 50, 60, 70, 75, 80, 90] as const;
export type LowShare = (typeof lowShares)[number];

/** What a course mails once a week. */
export type WeeklyMails = {
  /** To instructors: the week in numbers. */
  digest: boolean;
  /** To learners who attended less than this percentage. */
  low: LowShare;
};

export const noWeeklyMails: WeeklyMails = { digest: false, low: 0 };

/** The longest address that mail servers take (RFC 5321, 4.5.3.1.3). */
const maxAddressLength = 254;

/** A single plain address that can't end a header, name a second person or look like an option; null for anything else. */
export function mailAddressOf(text: string | null): string | null {
  const address = text?.trim() ?? "";
  if (address.length > maxAddressLength || !address.isWellFormed()) return null;
  return /^[^\s"(),:;<>@[\\\]\p{C}-][^\s"(),:;<>@[\\\]\p{C}]*@[\p{L}\p{N}.-]+$/u.test(address) &&
    !/@[.-]|\.\.|[.-]$/.test(address)
    ? address
    : null;
}

/** Reads "Name <address>" or an address alone; null for anything else. */
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

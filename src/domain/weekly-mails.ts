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

/** What somebody else's clock said: the database's, or a server's in the Date header of an answer. */
export type ClockWitness = {
  /** Whose it is, as an operator knows them: "the database", "the classroom", or an LMS's host. */
  who: string;
  /** When we asked and when the answer had come, by our clock (ms). */
  askedAt: number;
  answeredAt: number;
  /** What their clock said in between (ms). */
  theirs: number;
  /** How coarsely they say it (ms): a Date header has whole seconds, cut off. */
  grain: number;
};

/** How far ours is ahead of theirs for certain (ms); behind is negative, 0 is what cannot be told from right. */
export function leadOver({ askedAt, answeredAt, theirs, grain }: ClockWitness): number {
  const least = askedAt - (theirs + grain);
  if (least > 0) return least;
  const most = answeredAt - theirs;
  return most < 0 ? most : 0;
}

/** How far our clock is off, by how many of those who agree, or null. */
export type ClockVerdict = {
  /** Milliseconds ahead; behind is negative. */
  lead: number;
  /** Who says so. */
  by: readonly string[];
  /** Whether nobody says otherwise and there are at least two: else it may be their clock that is wrong. */
  certain: boolean;
};

/** An LMS and we allow each other 60 seconds; from half of that on somebody must look. */
export const skewAlarmMs = 30_000;

/**
 * Judges our clock by others'. One of them may be wrong itself, so the middle one of their words counts; it is only said
 * to be certain when at least two were heard and all of them put us on the same side.
 * @param witnesses At most one word of each.
 */
export function judgeClock(witnesses: readonly ClockWitness[]): ClockVerdict {
  const leads = witnesses
    .map((one) => ({ who: one.who, lead: leadOver(one) }))
    .sort((a, b) => a.lead - b.lead);
  // Of two that disagree, the one that is nearer to us is believed.
  const [low, high] = [leads[Math.ceil(leads.length / 2) - 1], leads[Math.floor(leads.length / 2)]];
  const lead = nearer(low?.lead ?? 0, high?.lead ?? 0);
  const by = leads.filter((one) => Math.abs(one.lead) >= skewAlarmMs && one.lead > 0 === lead > 0);
  const certain = by.length >= 2 && by.length === leads.length;
  return { lead, by: by.map(({ who }) => who), certain };
}

function nearer(one: number, other: number): number {
  return Math.abs(one) <= Math.abs(other) ? one : other;
}

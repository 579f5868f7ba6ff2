/** Another clock: the database's, or a server's by the Date header. */
export type ClockWitness = {
  /** For operators: "the database", "the classroom", or an LMS's host. */
  who: string;
  askedAt: number;
  answeredAt: number;
  /** Their time at some moment in between (ms). */
  theirs: number;
  /** Precision (ms): a Date header has whole seconds, cut off. */
  grain: number;
};

/** Our certain lead (ms), negative when behind; 0 for what cannot be told from right. */
export function leadOver({ askedAt, answeredAt, theirs, grain }: ClockWitness): number {
  const minLeadMs = askedAt - (theirs + grain);
  if (minLeadMs > 0) return minLeadMs;
  const maxLeadMs = answeredAt - theirs;
  return maxLeadMs < 0 ? maxLeadMs : 0;
}

export type ClockVerdict = {
  lead: number;
  /** The witnesses who agree. */
  by: readonly string[];
  /** At least two and no contradiction: else it may be their clock that is wrong. */
  certain: boolean;
};

/** Half of the 60 seconds that an LMS and we allow each other. */
export const skewAlarmMs = 30_000;

/**
 * The median of the witnesses counts; it is certain when at least two were heard and all put us on the same side.
 * @param witnesses At most one report of each.
 */
export function judgeClock(witnesses: readonly ClockWitness[]): ClockVerdict {
  const leads = witnesses
    .map((one) => ({ who: one.who, lead: leadOver(one) }))
    .sort((a, b) => a.lead - b.lead);
  // Of two that disagree, the one nearer to us is believed.
  const [low, high] = [leads[Math.ceil(leads.length / 2) - 1], leads[Math.floor(leads.length / 2)]];
  const lead = nearer(low?.lead ?? 0, high?.lead ?? 0);
  const by = leads.filter((one) => Math.abs(one.lead) >= skewAlarmMs && one.lead > 0 === lead > 0);
  const certain = by.length >= 2 && by.length === leads.length;
  return { lead, by: by.map(({ who }) => who), certain };
}

function nearer(one: number, other: number): number {
  return Math.abs(one) <= Math.abs(other) ? one : other;
}

/** What a course lacks, what others follow from first. */
const gaps = ["not-told", "failed", "unread", "names", "email", "sections", "column"] as const;
export type Gap = (typeof gaps)[number];

export type ReadinessFacts = {
  /** A launch said where the list of people is. */
  listsPeople: boolean;
  /** When it was last read to its end (ms). */
  rosterReadAt: number | null;
  /** Its latest reading failed. */
  rosterFailed: boolean;
  /** Of those present, at most a few hundred. */
  people: number;
  named: number;
  mailed: number;
  sections: number;
  /** Its LMS puts everybody into a section (Canvas); groups (Moodle) may be missing. */
  everybodyHasSection: boolean;
  hasColumn: boolean;
  wantsColumn: boolean;
  /** Launches allow the gradebook: the column is made with the first score. */
  mayHaveColumn: boolean;
};

export function gapsOf(facts: ReadinessFacts): Gap[] {
  const { listsPeople, rosterFailed, people } = facts;
  // Some have none in every LMS; where most have none, the LMS withholds them.
  const withheld = (known: number) => people > 0 && known * 2 < people;
  const lacks: Record<Gap, boolean> = {
    "not-told": !listsPeople,
    failed: listsPeople && rosterFailed,
    unread: listsPeople && !rosterFailed && facts.rosterReadAt === null,
    names: withheld(facts.named),
    email: withheld(facts.mailed),
    sections: facts.everybodyHasSection && people > 0 && facts.sections === 0,
    column: facts.wantsColumn && !facts.hasColumn && !facts.mayHaveColumn,
  };
  return gaps.filter((gap) => lacks[gap]);
}

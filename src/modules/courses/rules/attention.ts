/**
 * What an instructor is told on their home page, by kind; each has one sentence and one button there. In the order in
 * which kinds of the same urgency are listed.
 */
export const attentionKinds = [
  "space-refused",
  "space-not-own",
  "space-elsewhere",
  "event-no-show",
  "event-declined",
  "scores-overdue",
  "scores-refused",
  "column-missing",
  "cohort-deleted",
  "sessions-stuck",
  "scores-held",
  "unmatched",
  "roster-unreadable",
  "alert-other",
  "invited-only",
  "recordings-ready",
  "set-up",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** How urgent something is. now: people are affected already · soon: it stays until somebody acts · know: good to know. */
export const urgencies = ["now", "soon", "know"] as const;
export type Urgency = (typeof urgencies)[number];

/** Something that needs an instructor, or that they should know. */
export type AttentionItem = {
  kind: AttentionKind;
  urgency: Urgency;
  /** How many it is about; 1 where nothing is counted. An item of none is left out by {@link inOrder}. */
  number: number;
  /** What it is called where there is one of it: a session, a section, a recording; null for none. */
  name: string | null;
  /** When it is or was (ms); null where that says nothing. */
  at: number | null;
};

/**
 * Items as they are listed: the most urgent first, then by kind, then the larger number, then by name and time. The order in which
 * they were found does not matter.
 */
export function inOrder(items: readonly AttentionItem[]): AttentionItem[] {
  return items.filter(({ number }) => number > 0).sort(byUrgency);
}

function byUrgency(one: AttentionItem, other: AttentionItem): number {
  return (
    urgencies.indexOf(one.urgency) - urgencies.indexOf(other.urgency) ||
    attentionKinds.indexOf(one.kind) - attentionKinds.indexOf(other.kind) ||
    other.number - one.number ||
    compareText(one.name ?? "", other.name ?? "") ||
    (one.at ?? -1) - (other.at ?? -1)
  );
}

/** By code units, so that every machine lists the same. */
function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

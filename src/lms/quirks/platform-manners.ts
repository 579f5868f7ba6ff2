import type { GradebookTraits } from "../../modules/grading/rules/gradebook-traits.ts";
import type { LmsReply } from "../requester.ts";
import type { ScoreOutcome, ScoreToSend } from "../score-outcome.ts";

/** When a session is (ms); null when nobody knows. */
export type SessionDates = { startsAt: number | null; endsAt: number | null };

/** Where an LMS differs from the standard. */
export type PlatformManners = {
  /** What its gradebook does with scores and tells of grades. */
  gradebook: GradebookTraits;
  /** Page size asked for when all results of a column are read; undefined takes what the LMS gives. */
  resultsPageSize: string | undefined;
  /** What is told of a session's dates with its new column. The standard's own would close the column to scores. */
  lineItemDates: (session: SessionDates) => Record<string, string>;
  /** How much its answer says is left until it refuses calls; null where it says nothing. */
  quotaLeft: (reply: LmsReply) => number | null;
  /** Characters of a column's label that it takes. */
  longestLabel: number;
  /** Whether a column that stands alone may be one that nobody sees, so that it is better tied to a link. */
  showsTiedColumnsOnly: boolean;
  /** Why it refuses a list or a new column; null when its reply says nothing particular. */
  explainRefusal: (reply: LmsReply) => { code: string; reason: string } | null;
  /** Page size asked for when line items are listed; undefined takes what the LMS gives. */
  lineItemsPageSize: string | undefined;
  /** Changes a standard score before it is sent. */
  scoreBody: (body: Record<string, unknown>, score: ScoreToSend) => Record<string, unknown>;
  /** What a refusal of a score means here; null when it means what the standard says. */
  judgeScore: (reply: LmsReply) => ScoreOutcome | null;
  /**
   * Changes a standard link of a deep linking answer before it is signed.
   * @param targets What the dialog accepts: "iframe", "window" ...
   */
  contentItem: (item: Record<string, unknown>, targets: readonly string[]) => Record<string, unknown>;
  /** The course's page, from the address to which a launch may return; null where that is the page itself. */
  courseUrl: (returnUrl: URL) => URL | null;
};

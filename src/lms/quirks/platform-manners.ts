import type { LmsReply } from "../requester.ts";
import type { ScoreOutcome, ScoreToSend } from "../score-outcome.ts";

/** Where an LMS differs from the standard. */
export type PlatformManners = {
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

import type { ReceiptState } from "../../../inbox/rules/receipt.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { RosterSync } from "../../members/rules/roster.ts";

/** How the pills of the console look: by what is left for somebody to do. */
export const receiptTones: Readonly<Record<ReceiptState, Tone>> = {
  failed: "bad",
  unmatched: "wait",
  waiting: "info",
  asking: "info",
  again: "info",
  done: "good",
  kept: "none",
};

export const rosterTones: Readonly<Record<RosterSync["state"], Tone>> = {
  idle: "none",
  waiting: "info",
  running: "info",
  done: "good",
  failed: "bad",
};

import { customParameter } from "../../domain/launch.ts";
import type { WantedMessage } from "../wanted-message.ts";

/** Where an LMS knows the standard's placement. */
export const standardMessages: readonly WantedMessage[] = [
  { type: "LtiResourceLinkRequest", placements: [] },
  { type: "LtiDeepLinkingRequest", placements: ["ContentArea"] },
  { type: "LtiSubmissionReviewRequest", placements: [] },
];

export const commonParameters = {
  [customParameter.contextHistory]: "$Context.id.history",
  [customParameter.timeZone]: "$Person.address.timezone",
};

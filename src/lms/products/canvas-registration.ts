import type { ToolDescription } from "../tool-description.ts";
import type { WantedMessage } from "../wanted-message.ts";

const canvas = "https://canvas.instructure.com/lti";

/** Placements for which Canvas has names of its own. */
const standardNames: ReadonlyMap<string, string> = new Map([
  ["link_selection", "ContentArea"],
  ["editor_button", "RichTextEditor"],
]);

/** With or without Canvas's prefix; two of them by the standard's names. */
export function canvasPlacementNames(wanted: string): readonly string[] {
  const standard = standardNames.get(wanted);
  return [wanted, `${canvas}/${wanted}`, ...(standard === undefined ? [] : [standard])];
}

/** Links of modules and assignments are their own. Not in the text editor, where every editor would show it. */
export const canvasPlacements = {
  courseMenu: {
    name: "course_navigation",
    /** Not for people who may look at a public course without being in it. */
    visibility: "members",
    /** Keeps Canvas's own menu beside the tool. */
    displayType: "full_width_in_context",
  },
  selections: ["link_selection", "assignment_selection"],
} as const;

/** Name and e-mail address, which the classroom needs to make its users; Canvas has no lower level with both. */
export const canvasPrivacyLevel = "public";

/** With Canvas's own extensions (its Dynamic Registration documentation). */
export const canvasMessages: readonly WantedMessage[] = [
  {
    type: "LtiResourceLinkRequest",
    placements: [canvasPlacements.courseMenu.name],
    extras: {
      [`${canvas}/course_navigation/default_enabled`]: true,
      [`${canvas}/visibility`]: canvasPlacements.courseMenu.visibility,
      [`${canvas}/display_type`]: canvasPlacements.courseMenu.displayType,
    },
  },
  { type: "LtiDeepLinkingRequest", placements: canvasPlacements.selections },
  { type: "LtiSubmissionReviewRequest", placements: [] },
];

/** Members of the tool configuration that Canvas takes beyond the standard's. */
export function canvasToolExtras({ id, vendor }: ToolDescription): Record<string, string> {
  return {
    [`${canvas}/privacy_level`]: canvasPrivacyLevel,
    [`${canvas}/tool_id`]: id,
    [`${canvas}/vendor`]: vendor,
  };
}

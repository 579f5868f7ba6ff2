import type { ToolDescription } from "../tool-description.ts";
import type { WantedMessage } from "../wanted-message.ts";

const canvas = "https://canvas.instructure.com/lti";

/** Standard names of places for which Canvas has names of its own. */
const standardNames: ReadonlyMap<string, string> = new Map([
  ["link_selection", "ContentArea"],
  ["editor_button", "RichTextEditor"],
]);

/** Canvas writes the names of placements with or without a prefix, and takes the standard's names for two of them. */
export function canvasPlacementNames(wanted: string): readonly string[] {
  const standard = standardNames.get(wanted);
  return [wanted, `${canvas}/${wanted}`, ...(standard === undefined ? [] : [standard])];
}

/**
 * Where people meet the tool in Canvas. The course menu is the course's door to its Space; modules and assignments
 * take links of their own. Not the text editor: its button would stand in every editor of every course for
 * something the menu does.
 */
export const canvasPlacements = {
  courseMenu: {
    name: "course_navigation",
    /** Not for people who may look at a public course without being in it. */
    visibility: "members",
    /** Leaves Canvas's own menu where it is and gives the tool the rest of the width. */
    displayType: "full_width_in_context",
  },
  selections: ["link_selection", "assignment_selection"],
} as const;

/**
 * What the tool gets to know about people: name and e-mail address, which the classroom needs to make its users.
 * Canvas has no level with both and less than this one.
 */
export const canvasPrivacyLevel = "public";

/** The messages Canvas is asked for in a registration, with its own extensions (its Dynamic Registration documentation). */
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

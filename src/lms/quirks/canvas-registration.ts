import type { ToolDescription } from "../tool-description.ts";
import type { WantedMessage } from "../wanted-message.ts";

const canvas = "https://canvas.instructure.com/lti";

/** Standard names of places for which Canvas has names of its own. */
const standardNames: ReadonlyMap<string, string> = new Map([
  ["link_selection", "ContentArea"],
  ["editor_button", "RichTextEditor"],
]);

/**
 * Whether a placement an LMS lists is the one wanted: Canvas writes its names with or without a prefix, and takes
 * the standard's names for two of them.
 */
export function isCanvasPlacement(listed: string, wanted: string): boolean {
  return [wanted, `${canvas}/${wanted}`, standardNames.get(wanted)].includes(listed);
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

/** What Canvas wants in a registration beyond the standard (its Dynamic Registration documentation). */
export const canvasRegistration: {
  messages: readonly WantedMessage[];
  /** Members of the tool configuration. */
  tool: (tool: ToolDescription) => Record<string, string>;
} = {
  messages: [
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
  ],
  tool: ({ id, vendor }) => ({
    [`${canvas}/privacy_level`]: canvasPrivacyLevel,
    [`${canvas}/tool_id`]: id,
    [`${canvas}/vendor`]: vendor,
  }),
};

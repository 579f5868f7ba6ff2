import { scopes } from "../scopes.ts";
import type { ToolDescription } from "../tool-description.ts";
import { canvas } from "./canvas.ts";
import { canvasPlacements, canvasPrivacyLevel } from "./canvas-registration.ts";

/**
 * Only scopes that every Canvas knows: an unknown one makes it refuse the whole configuration. Versions since 2024-07
 * know the one for notices (Schemas::InternalLtiConfiguration takes LTI_SCOPES and LTI_HIDDEN_SCOPES); it is asked for
 * where somebody says so.
 */
const canvasScopes = [
  scopes.lineItem,
  scopes.lineItemReadOnly,
  scopes.resultReadOnly,
  scopes.score,
  scopes.membership,
];

/**
 * For "Enter URL" or "Paste JSON" of an LTI key. Custom fields stand at the tool: in the roster Canvas fills in no
 * others.
 * @param options.notices For a Canvas that knows notices, such as Instructure's cloud: it then reports copied courses.
 */
export function canvasConfiguration(
  tool: ToolDescription,
  options: { notices?: boolean } = {},
): Record<string, unknown> {
  const { courseMenu, selections } = canvasPlacements;
  const place = { enabled: true, text: tool.name, target_link_uri: tool.launchUrl };
  return {
    title: tool.name,
    description: tool.description,
    target_link_uri: tool.launchUrl,
    oidc_initiation_url: tool.loginUrl,
    public_jwk_url: tool.keysUrl,
    scopes: options.notices === true ? [...canvasScopes, scopes.noticeHandlers] : canvasScopes,
    custom_fields: canvas.registration.customParameters,
    extensions: [
      {
        platform: "canvas.instructure.com",
        domain: new URL(tool.publicUrl).host,
        tool_id: tool.id,
        privacy_level: canvasPrivacyLevel,
        settings: {
          text: tool.name,
          icon_url: tool.logoUrl,
          placements: [
            {
              ...place,
              placement: courseMenu.name,
              message_type: "LtiResourceLinkRequest",
              default: "enabled",
              visibility: courseMenu.visibility,
              display_type: courseMenu.displayType,
            },
            ...selections.map((placement) => ({
              ...place,
              placement,
              message_type: "LtiDeepLinkingRequest",
            })),
          ],
        },
      },
    ],
  };
}

// From: lti_configuration.rb, internal_lti_configuration.rb, lti_dev_key_config.md.
import { z } from "zod";
import {
  allPlacements,
  canvasScopes,
  displayTypes,
  privacyLevels,
  selectionPlacements,
  sharesAt,
} from "./canvas-registration.ts";
import type { ToolWords } from "./registration.ts";

const text = z.string();
const settings = {
  message_type: z.enum(["LtiResourceLinkRequest", "LtiDeepLinkingRequest"]).optional(),
  text: text.optional(),
  labels: z.record(text, text).optional(),
  custom_fields: z.record(text, text).optional(),
  selection_height: z.number().optional(),
  selection_width: z.number().optional(),
  launch_height: z.union([z.number(), text]).optional(),
  launch_width: z.union([z.number(), text]).optional(),
  icon_url: text.optional(),
  canvas_icon_class: text.optional(),
  required_permissions: text.optional(),
  windowTarget: z.literal("_blank").optional(),
  display_type: z.enum(displayTypes).optional(),
  url: text.optional(),
  target_link_uri: text.optional(),
  visibility: z.enum(["admins", "members", "public"]).optional(),
  icon_svg_path_64: text.optional(),
  default: z.enum(["disabled", "enabled"]).optional(),
  accept_media_types: text.optional(),
  use_tray: z.boolean().optional(),
};
const placementSchema = z.object({
  ...settings,
  placement: z.enum(allPlacements),
  enabled: z.union([z.boolean(), text]).optional(),
  description: text.max(255).optional(),
  require_resource_selection: z.boolean().optional(),
  root_account_only: z.boolean().optional(),
});
const extensionSchema = z.object({
  platform: text,
  domain: text.optional(),
  tool_id: text.optional(),
  privacy_level: z.enum(privacyLevels).optional(),
  settings: z.object({ ...settings, placements: z.array(placementSchema) }),
});
const configurationSchema = z
  .object({
    title: text,
    description: text,
    target_link_uri: z.url(),
    oidc_initiation_url: z.url(),
    oidc_initiation_urls: z.record(text, text).optional(),
    custom_fields: z.record(text, text).optional(),
    public_jwk: z.record(text, z.unknown()).optional(),
    public_jwk_url: z.url().optional(),
    scopes: z.array(z.enum(canvasScopes)).default([]),
    extensions: z.array(extensionSchema).default([]),
  })
  .refine(({ public_jwk: key, public_jwk_url: url }) => key !== undefined || url !== undefined, {
    message: "tool configuration must have public jwk or public jwk url",
  })
  .refine(({ extensions }) => extensions.every(placementsFit), {
    message: "a placement does not support its message type",
    path: ["extensions"],
  });
type Configuration = z.output<typeof configurationSchema>;
type Extension = z.output<typeof extensionSchema>;

function placementsFit({ settings: { placements } }: Extension): boolean {
  return placements.every(
    ({ message_type: type, placement }) =>
      type !== "LtiDeepLinkingRequest" || selectionPlacements.includes(placement),
  );
}

export type ReadToolJson =
  | {
      words: ToolWords;
      /** Members Canvas ignores; a careful configuration has none. */
      ignored: string[];
    }
  | { errors: string[] };

/** By Canvas's rules: required members, known scopes and placements. */
export function readToolJson(json: unknown, redirectUris?: readonly string[]): ReadToolJson {
  const parsed = configurationSchema.safeParse(json);
  if (!parsed.success) {
    return { errors: parsed.error.issues.map(({ path, message }) => `/${path.join("/")}: ${message}`) };
  }
  const configuration = parsed.data;
  const canvas = configuration.extensions.find(({ platform }) => platform === "canvas.instructure.com");
  return {
    words: textsOf(configuration, canvas, redirectUris ?? [configuration.target_link_uri]),
    ignored: [
      ...unread(json, configuration, ""),
      ...configuration.extensions
        .filter((extension) => extension !== canvas)
        .map(({ platform }) => `/extensions: platform ${platform}`),
    ],
  };
}

function textsOf(
  configuration: Configuration,
  canvas: Extension | undefined,
  redirectUris: readonly string[],
): ToolWords {
  const placements = (canvas?.settings.placements ?? []).filter(
    ({ enabled }) => enabled !== false && enabled !== "false",
  );
  const target = configuration.target_link_uri;
  return {
    name: configuration.title,
    description: configuration.description,
    loginUrl: configuration.oidc_initiation_url,
    launchUrl: target,
    redirectUrls: [...redirectUris],
    jwksUrl: configuration.public_jwk_url ?? "",
    deepLinkingUrl: selectionUrl(placements, target),
    domain: canvas?.domain ?? new URL(target).host,
    logoUrl: canvas?.settings.icon_url ?? null,
    scopes: [...configuration.scopes],
    custom: { ...configuration.custom_fields, ...canvas?.settings.custom_fields },
    shares: sharesAt(canvas?.privacy_level ?? "anonymous"),
    placements: placements.map(({ placement }) => placement),
  };
}

/** Of the first content selection placement; null without one. */
function selectionUrl(placements: Extension["settings"]["placements"], target: string): string | null {
  const found = placements.find(({ message_type: type }) => type === "LtiDeepLinkingRequest");
  return found === undefined ? null : (found.target_link_uri ?? found.url ?? target);
}

/** Members Canvas did not read. */
function unread(sent: unknown, read: unknown, path: string): string[] {
  if (typeof sent !== "object" || sent === null) return [];
  if (typeof read !== "object" || read === null) return [path];
  const known = new Map(Object.entries(read));
  return Object.entries(sent).flatMap(([name, value]) =>
    known.has(name) ? unread(value, known.get(name), `${path}/${name}`) : [`${path}/${name}`],
  );
}

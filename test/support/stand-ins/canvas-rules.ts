import { z } from "zod";

/**
 * What Canvas accepts, written down from its schemas and documentation, independently: it shares nothing with the code that creates our
 * configuration. Names that Canvas does not know are problems here even if Canvas would ignore them.
 */

const scopes = z.enum([
  "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
  "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly",
  "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
  "https://purl.imsglobal.org/spec/lti-ags/scope/score",
  "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
  "https://canvas.instructure.com/lti-ags/progress/scope/show",
  "https://canvas.instructure.com/lti/account_external_tools/scope/create",
  "https://canvas.instructure.com/lti/account_external_tools/scope/destroy",
  "https://canvas.instructure.com/lti/account_external_tools/scope/list",
  "https://canvas.instructure.com/lti/account_external_tools/scope/show",
  "https://canvas.instructure.com/lti/account_external_tools/scope/update",
  "https://canvas.instructure.com/lti/account_lookup/scope/show",
  "https://canvas.instructure.com/lti/data_services/scope/create",
  "https://canvas.instructure.com/lti/data_services/scope/destroy",
  "https://canvas.instructure.com/lti/data_services/scope/list",
  "https://canvas.instructure.com/lti/data_services/scope/list_event_types",
  "https://canvas.instructure.com/lti/data_services/scope/show",
  "https://canvas.instructure.com/lti/data_services/scope/update",
  "https://canvas.instructure.com/lti/feature_flags/scope/show",
  "https://canvas.instructure.com/lti/public_jwk/scope/update",
]);

/** Placements by the messages that may be launched from them. */
const deepLinkingOnly = ["editor_button", "submission_type_selection"];
const both = [
  ["assignment_selection", "collaboration", "conference_selection", "course_assignments_menu"],
  ["homework_submission", "link_selection", "migration_selection", "module_index_menu_modal"],
  ["module_menu_modal", "resource_selection"],
].flat();
const resourceLinkOnly = [
  ["account_navigation", "assignment_edit", "assignment_group_menu", "assignment_index_menu"],
  ["assignment_menu", "assignment_view", "course_home_sub_navigation", "course_navigation"],
  ["course_settings_sub_navigation", "discussion_topic_index_menu", "discussion_topic_menu"],
  ["file_index_menu", "file_menu", "global_navigation", "module_group_menu", "module_index_menu"],
  ["module_menu", "post_grades", "quiz_index_menu", "quiz_menu", "similarity_detection"],
  ["student_context_card", "tool_configuration", "user_navigation", "wiki_index_menu", "wiki_page_menu"],
].flat();

const messageType = z.enum(["LtiResourceLinkRequest", "LtiDeepLinkingRequest"]);
const displayType = z.enum([
  "default",
  "full_width",
  "full_width_in_context",
  "full_width_with_nav",
  "in_nav_context",
  "borderless",
]);
const visibility = z.enum(["admins", "members", "public"]);
const privacyLevel = z.enum(["anonymous", "name_only", "email_only", "public"]);
const texts = z.record(z.string(), z.string());

/** What both `settings` and a placement may set. */
const settable = {
  text: z.string().min(1).optional(),
  labels: texts.optional(),
  custom_fields: texts.optional(),
  message_type: messageType.optional(),
  target_link_uri: z.url().optional(),
  icon_url: z.url().optional(),
  canvas_icon_class: z.string().optional(),
  selection_width: z.number().optional(),
  selection_height: z.number().optional(),
  launch_width: z.number().optional(),
  launch_height: z.number().optional(),
  required_permissions: z.string().optional(),
  windowTarget: z.literal("_blank").optional(),
  display_type: displayType.optional(),
  visibility: visibility.optional(),
  default: z.enum(["enabled", "disabled"]).optional(),
};

const placement = z
  .strictObject({
    ...settable,
    placement: z.enum([...deepLinkingOnly, ...both, ...resourceLinkOnly]),
    enabled: z.boolean().optional(),
  })
  .refine(
    ({ placement: name, message_type: type }) =>
      !(type === "LtiDeepLinkingRequest" ? resourceLinkOnly : deepLinkingOnly).includes(name),
    "this placement does not launch with this message",
  )
  .refine(
    ({ custom_fields: custom = {} }) => !Object.values(custom).some((value) => value.startsWith("$")),
    "variables at a placement are missing from the roster",
  );

const developerKey = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1),
  target_link_uri: z.url(),
  oidc_initiation_url: z.url(),
  oidc_initiation_urls: texts.optional(),
  public_jwk_url: z.url(),
  custom_fields: texts.optional(),
  scopes: z.array(scopes).refine((list) => new Set(list).size === list.length, "a scope is there twice"),
  extensions: z
    .array(
      z.strictObject({
        platform: z.literal("canvas.instructure.com"),
        domain: z.string().regex(/^[\w.-]+(:\d+)?$/),
        tool_id: z.string().optional(),
        privacy_level: privacyLevel,
        settings: z.strictObject({ ...settable, placements: z.array(placement).min(1) }),
      }),
    )
    .length(1),
});

const canvas = "https://canvas.instructure.com/lti";
const message = z.strictObject({
  type: messageType,
  target_link_uri: z.url().optional(),
  label: z.string().optional(),
  icon_uri: z.url().optional(),
  custom_parameters: texts.optional(),
  placements: z
    .array(z.string().transform((name) => name.replace(`${canvas}/`, "")))
    .min(1)
    .optional(),
  roles: z.array(z.string()).optional(),
  [`${canvas}/course_navigation/default_enabled`]: z.boolean().optional(),
  [`${canvas}/visibility`]: visibility.optional(),
  [`${canvas}/display_type`]: z.union([displayType, z.literal("new_window")]).optional(),
  [`${canvas}/launch_width`]: z.unknown().optional(),
  [`${canvas}/launch_height`]: z.unknown().optional(),
});
const registration = z.strictObject({
  application_type: z.literal("web"),
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes("client_credentials") && types.includes("implicit"), "grant types"),
  response_types: z.array(z.string()).refine((types) => types.includes("id_token"), "response types"),
  redirect_uris: z.array(z.url()).min(1),
  initiate_login_uri: z.url(),
  client_name: z.string().min(1),
  jwks_uri: z.url(),
  token_endpoint_auth_method: z.literal("private_key_jwt"),
  scope: z
    .string()
    .transform((list) => list.split(" "))
    .pipe(z.array(z.union([scopes, z.literal("https://purl.imsglobal.org/spec/lti/scope/noticehandlers")]))),
  logo_uri: z.url().optional(),
  client_uri: z.url().optional(),
  tos_uri: z.url().optional(),
  policy_uri: z.url().optional(),
  contacts: z.array(z.string()).optional(),
  "https://purl.imsglobal.org/spec/lti-tool-configuration": z.strictObject({
    domain: z.string().regex(/^[\w.-]+(:\d+)?$/),
    secondary_domains: z.array(z.string()).optional(),
    target_link_uri: z.url(),
    description: z.string().optional(),
    custom_parameters: texts.optional(),
    claims: z.array(z.string()).min(1),
    messages: z.array(message).min(1),
    [`${canvas}/privacy_level`]: privacyLevel.optional(),
    [`${canvas}/tool_id`]: z.string().optional(),
    [`${canvas}/vendor`]: z.string().optional(),
  }),
});

/** Canvas's objections to a developer key's configuration; empty when it accepts it. */
export function developerKeyProblems(configuration: unknown): string[] {
  return problemsOf(developerKey, configuration);
}

/** Canvas's objections to the body of a dynamic registration; empty when it accepts it. */
export function canvasRegistrationProblems(body: unknown): string[] {
  return problemsOf(registration, body);
}

function problemsOf(schema: z.ZodType, value: unknown): string[] {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message: words }) => `${path.join(".")}: ${words}`);
}

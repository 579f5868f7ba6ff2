// From: dynamic_registration_controller.rb (#create, #show_configuration, #update), oidc_registration.rb, registration.md,
// registration_update_request.rb, token_validation_service.rb, resource_placement.rb, token_scopes.rb; "LTI Registration Updates" of doc/api.
import express, { type Express, type Request } from "express";
import { z } from "zod";
import type { Tool } from "./lms-records.ts";
import type { Lms, Quirks } from "./lms.ts";
import { lti } from "./lti-names.ts";
import { pathValue } from "./pages.ts";
import { registeredTool, type ToolWords } from "./registration.ts";
import {
  answerService,
  jsonAnswer,
  parseJson,
  rawBodyOf,
  type ServiceAnswer,
  toolOfToken,
} from "./services.ts";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const allPlacements = words(`
  account_navigation assignment_edit assignment_group_menu assignment_index_menu assignment_menu
  assignment_selection assignment_view collaboration conference_selection course_assignments_menu
  course_home_sub_navigation course_navigation course_settings_sub_navigation discussion_topic_index_menu
  discussion_topic_menu editor_button file_index_menu file_menu global_navigation homework_submission link_selection
  migration_selection module_group_menu module_index_menu module_index_menu_modal module_menu_modal module_menu
  post_grades quiz_index_menu quiz_menu resource_selection similarity_detection student_context_card
  submission_type_selection tool_configuration user_navigation wiki_index_menu wiki_page_menu`);

const displayTypes = words(
  "default full_width full_width_in_context full_width_with_nav in_nav_context borderless",
);

/** Any other scope is refused. */
const canvasScopes = [
  ...Object.values(lti.scope),
  lti.extraScope.notices,
  ...Object.values(lti.ownScope),
  ...words(`lti-ags/progress/scope/show lti/public_jwk/scope/update lti/account_lookup/scope/show
    lti/feature_flags/scope/show lti/data_services/scope/create lti/data_services/scope/show
    lti/data_services/scope/update lti/data_services/scope/list lti/data_services/scope/destroy
    lti/page_content/scope/show`).map((name) => `https://canvas.instructure.com/${name}`),
];

const privacyLevels = ["anonymous", "name_only", "email_only", "public"] as const;

function sharesAt(level: string): { names: boolean; email: boolean } {
  return {
    names: level === "public" || level === "name_only",
    email: level === "public" || level === "email_only",
  };
}

const own = "https://canvas.instructure.com/lti";

export function canvasConfiguration(url: string, { registrationUpdates }: Quirks): Record<string, unknown> {
  const unknown: string[] = registrationUpdates === "unknown" ? Object.values(lti.ownScope) : [];
  const selection = ["assignment_selection", "link_selection", "editor_button", "course_assignments_menu"];
  const opening = ["course_navigation", "assignment_selection", "link_selection"];
  return {
    scopes_supported: ["openid", ...canvasScopes.filter((scope) => !unknown.includes(scope))],
    claims_supported: ["sub", "picture", "email", "name", "given_name", "family_name", "locale"],
    authorization_server: new URL(url).host,
    [lti.platformConfiguration]: {
      product_family_code: "canvas",
      version: "OpenSource",
      messages_supported: [
        { type: "LtiResourceLinkRequest", placements: opening.map(prefixed) },
        {
          type: "LtiDeepLinkingRequest",
          placements: [...selection.map(prefixed), "ContentArea", "RichTextEditor"],
        },
      ],
      notice_types_supported: ["LtiHelloWorldNotice", "LtiContextCopyNotice"],
      variables: ["Canvas.course.id", "Canvas.course.sectionIds", "com.instructure.User.sectionNames"],
      [`${own}/account_name`]: "Stand-in account",
      [`${own}/account_lti_guid`]: "stand-in.canvas",
    },
  };
}

function prefixed(placement: string): string {
  return `${own}/${placement}`;
}

const nullableText = z.string().nullish();
const address = z.url();
/** Members that Canvas does not know are left out (OidcRegistration.filter!). */
const messageSchema = z.object({
  type: z.enum(["LtiResourceLinkRequest", "LtiDeepLinkingRequest"]),
  target_link_uri: address.nullish(),
  label: nullableText,
  icon_uri: address.nullish(),
  custom_parameters: z.record(z.string(), z.string()).optional(),
  roles: z.array(z.string()).optional(),
  placements: z.array(z.string()).optional(),
  [`${own}/course_navigation/default_enabled`]: z.boolean().optional(),
  [`${own}/visibility`]: z.enum(["admins", "members", "public"]).nullish(),
  [`${own}/display_type`]: z.enum([...displayTypes, "new_window"]).nullish(),
  [`${own}/launch_width`]: z.union([z.int(), z.string()]).nullish(),
  [`${own}/launch_height`]: z.union([z.int(), z.string()]).nullish(),
});
const registrationSchema = z.looseObject({
  application_type: z.literal("web"),
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes("client_credentials") && types.includes("implicit"), {
      message: "must contain client_credentials and implicit",
    }),
  response_types: z
    .array(z.string())
    .refine((types) => types.includes("id_token"), { message: "must contain id_token" }),
  redirect_uris: z.array(address).min(1),
  initiate_login_uri: address,
  client_name: z.string().min(1),
  jwks_uri: address,
  token_endpoint_auth_method: z.literal("private_key_jwt"),
  scope: nullableText.refine((scope) => unknownScopes(scope ?? "").length === 0, {
    message: "contains a scope that is not known",
  }),
  logo_uri: address.nullish(),
  client_uri: address.nullish(),
  tos_uri: address.nullish(),
  policy_uri: address.nullish(),
  contacts: z.array(z.email()).optional(),
  [lti.toolConfiguration]: z.object({
    domain: z
      .string()
      .regex(
        /^([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\.)*[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(:\d{1,5})?$/,
      ),
    claims: z.array(z.string()),
    messages: z.array(messageSchema),
    target_link_uri: nullableText,
    description: nullableText,
    custom_parameters: z.record(z.string(), z.string()).optional(),
    [`${own}/privacy_level`]: z.enum(privacyLevels).nullish(),
    [`${own}/tool_id`]: nullableText,
    [`${own}/vendor`]: nullableText,
  }),
});

function unknownScopes(scope: string): string[] {
  const known: string[] = ["openid", "", ...canvasScopes];
  return scope.split(" ").filter((one) => !known.includes(one));
}

/** Empty when nothing is wrong. */
export function canvasRegistrationProblems(sent: unknown): string[] {
  const parsed = registrationSchema.safeParse(sent);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `/${path.join("/")}: ${message}`);
}

/** Canvas's own words in a registration: places without their prefix (unknown ones are dropped), and the privacy level. */
export function canvasRegistrationWords(sent: unknown, words: ToolWords): ToolWords {
  const configuration = registrationSchema.parse(sent)[lti.toolConfiguration];
  const level = configuration[`${own}/privacy_level`];
  const named = words.placements
    .map((placement) => placementAlias[placement] ?? placement.replace(`${own}/`, ""))
    .filter((placement) => allPlacements.includes(placement));
  const inMenu = ({ placements = [] }: { placements?: string[] | undefined }) =>
    placements.some((placement) => placement.replace(`${own}/`, "") === "course_navigation");
  return {
    ...words,
    menuCustom: configuration.messages.find(inMenu)?.custom_parameters ?? {},
    placements: named.length === 0 ? ["link_selection"] : [...new Set(named)],
    shares: typeof level === "string" ? sharesAt(level) : words.shares,
  };
}

const placementAlias: Record<string, string> = {
  ContentArea: "link_selection",
  RichTextEditor: "editor_button",
};

/** The response contains no deployment: a tool learns that at the first launch. */
export function canvasRegistrationAnswer(lms: Lms, tool: Tool) {
  const registration = `${lms.url}/api/lti/registrations/${tool.id}`;
  const { data } = registrationSchema.safeParse(tool.sent);
  const { scope = "" } = data ?? {};
  const body = registeredTool(tool, {
    ...data?.[lti.toolConfiguration],
    [`${own}/registration_config_url`]: `${registration}/view`,
  });
  return {
    status: 200,
    body: {
      ...body,
      // The scopes it asked for, whatever an administrator has switched off since.
      scope: [...(scope ?? "").split(" "), "openid"].join(" ").trim(),
      logo_uri: tool.logoUrl,
      registration_client_uri: registration,
    },
  };
}

/** A tool's own registration: GET shows it, PUT proposes a change that an administrator must accept. */
export function mountCanvasUpdates(app: Express, lms: Lms): void {
  app.all(
    `${lms.manners.paths.registration}/:id/configuration`,
    express.text({ type: () => true, limit: "1mb" }),
    async (request, response) => {
      await answerService(lms, "registration", { request, response }, () => answerUpdate(lms, request));
    },
  );
}

function answerUpdate(lms: Lms, request: Request): ServiceAnswer {
  const missing = { errors: [{ message: "The specified resource does not exist." }] };
  const tool = lms.world.tools.get(pathValue(request, "id"));
  if (tool === undefined || lms.quirks.registrationUpdates === "unknown") return jsonAnswer(404, missing);
  const { read, change } = lti.ownScope;
  const changes = request.method === "PUT";
  if (changes && lms.quirks.registrationUpdates === "off")
    return jsonAnswer(lms.turned.has("canvasUpdatesOffIs404") ? 500 : 404, missing);
  if (toolOfToken(lms, request, changes ? [change] : [read, change]) === null)
    return jsonAnswer(401, { errorMessage: "Insufficient permissions" });
  if (changes) {
    const sent = parseJson(rawBodyOf(request));
    const errors = canvasRegistrationProblems(sent);
    if (errors.length > 0) return jsonAnswer(422, { errors });
    tool.proposed = sent;
  }
  // Even after a PUT, the registration currently in force.
  const { status, body } = canvasRegistrationAnswer(lms, tool);
  return jsonAnswer(status, body);
}

import { customParameter } from "../../domain/launch.ts";
import type { PlainCode } from "../../kernel/refusal.ts";
import type { ToolDescription } from "../registration-request.ts";
import { scopes } from "../scopes.ts";
import { type Cloud, commonParameters, type LmsProduct, type ToolMessage } from "./lms-product.ts";

const canvasUri = "https://canvas.instructure.com/lti";

/** Placements that Canvas names differently. */
const standardNames: ReadonlyMap<string, string> = new Map([
  ["link_selection", "ContentArea"],
  ["editor_button", "RichTextEditor"],
]);

/** A placement's name with and without Canvas's prefix, and the standard's name for two of them. */
function placementNames(placement: string): readonly string[] {
  const standard = standardNames.get(placement);
  return [placement, `${canvasUri}/${placement}`, ...(standard === undefined ? [] : [standard])];
}

/** Where Canvas offers the tool. Links in modules and assignments need no placement. In the text editor, every editor would show it. */
const placements = {
  courseMenu: {
    name: "course_navigation",
    /** Hidden from people who may look at a public course without being in it. */
    visibility: "members",
    /** Canvas's own menu stays visible next to the tool. */
    displayType: "full_width_in_context",
    /** Canvas's apps open each launch as a full page, so without a session nearby, learners get from the menu to their own pages. */
    custom: { space_learners: "near" },
  },
  selections: ["link_selection", "assignment_selection"],
} as const;

/** Name and e-mail address, which the classroom needs to create its users. Canvas has no lower level with both. */
const privacyLevel = "public";

/** Messages with Canvas's own extensions (its Dynamic Registration documentation). */
const messages: readonly ToolMessage[] = [
  {
    type: "LtiResourceLinkRequest",
    placements: [placements.courseMenu.name],
    extras: {
      custom_parameters: placements.courseMenu.custom,
      [`${canvasUri}/course_navigation/default_enabled`]: true,
      [`${canvasUri}/visibility`]: placements.courseMenu.visibility,
      [`${canvasUri}/display_type`]: placements.courseMenu.displayType,
    },
  },
  { type: "LtiDeepLinkingRequest", placements: placements.selections },
  { type: "LtiSubmissionReviewRequest", placements: [] },
];

/** Names of scopes, as Canvas's developer keys page shows them. */
const scopeNames: ReadonlyMap<string, string> = new Map([
  [scopes.lineItem, "Can create and view assignment data in the gradebook associated with the tool"],
  [scopes.resultReadOnly, "Can view submission data for assignments associated with the tool"],
  [scopes.score, "Can create and update submission results for assignments associated with the tool"],
  [scopes.membership, "Can retrieve user data associated with the context the tool is installed in"],
]);

const submission = `${canvasUri}/submission`;

/**
 * How Canvas differs from the standard. One thing no adapter can fix: a sent score ends a learner's "excused", which AGS can neither
 * set nor read. So we only send scores that changed.
 */
export const canvas: LmsProduct = {
  capabilities: {
    wording: "canvas",
    sections: "sections",
    sectionsByLaunchOnly: false,
    // If `rlid` is the course's own id, it sends each member's sections.
    rosterByLink: true,
    rosterDemotesInstructors: false,
    // Each installation in a course is a deployment (ContextExternalTool#deployment_id). A user has one id in the whole Canvas, and context
    // ids are opaque and unique.
    idsHoldWithin: "registration",
    // <id of the installed tool>:<id of the place>. After a new registration, only the place stays the same.
    lastingDeploymentPart: (deploymentId) => deploymentId.slice(deploymentId.indexOf(":") + 1),
    // deep_linking_response answers with a page.
    answerStaysOnOrigin: true,
    hiddenAfterRegistration: false,
    // The cloud has one issuer and shared hosts for all schools. A school's pages come from its host under instructure.com, or from its own
    // domain. Services use the school's canonical host, so only the return address in a reader's own launch tells which domain they use.
    frameAncestors: ({ registered, course, services, reader }) =>
      reader.length === 0
        ? null
        : [...registered, ...course, ...services, ...reader, ...(registered.some(isCloud) ? [schools] : [])],
    // scores_controller.rb stores it, but no requirement of a module reads it.
    ignoresProgress: true,
    ownGradeCompletes: false,
    gradebook: {
      resultsInclude: "graded-only",
      reportsZero: true,
      // Excusing a learner empties their score; a tool sees nothing else.
      emptyMeansCleared: true,
      sendingEndsExcused: true,
      keepsTeachersGrade: false,
      // lti/result.rb returns a tool's score as it was sent. Only a typed score is scaled to that maximum.
      resultsIn: "as-sent",
      resultsPerCall: 100,
    },
  },
  registration: {
    messages,
    placementNames,
    // Without placements, Canvas would put the tool wherever it wants.
    needsPlacement: true,
    extras: ({ id, vendor }) => ({
      [`${canvasUri}/privacy_level`]: privacyLevel,
      [`${canvasUri}/tool_id`]: id,
      [`${canvasUri}/vendor`]: vendor,
    }),
    // Set for the tool and not for a placement, because Canvas expands them for the roster without a placement.
    customParameters: {
      ...commonParameters,
      [customParameter.sectionIds]: "$Canvas.course.sectionIds",
      [customParameter.sectionNames]: "$com.instructure.User.sectionNames",
      [customParameter.sectionSisIds]: "$Canvas.course.sectionSisSourceIds",
      [customParameter.sectionRestricted]: "$Canvas.course.sectionRestricted",
      [customParameter.canvasGroups]: "$Canvas.group.contextIds",
    },
    // On the account's own host, whatever host the configuration is on (Lti::IMS
    // SecurityController#openid_configuration).
    endpointOnAnyHost: true,
    // It names its bare host as `authorization_server`, but only accepts the token address as audience.
    tokenUrlIsAudience: true,
    configurationUrl: ({ canvasConfigurationUrl }) => canvasConfigurationUrl,
    // DynamicRegistrationController#show_configuration and #update. The address without this suffix requires a person's session.
    ownConfiguration: "/configuration",
    whereToAllow: (scope) => {
      const name = scopeNames.get(scope);
      return `In Canvas: Admin > Developer Keys > the tool's key > LTI Advantage services (newer Canvas: Admin > Apps > Manage > the tool > Permissions), switch on ${name === undefined ? scope : `"${name}"`}.`;
    },
    clouds: ["", "beta.", "test."].map(cloudOf),
  },
  services: {
    rosterPageSize: undefined,
    // Canvas's older way to say "slow down" is status 403 with a line of plain text. A 403 with JSON means "not allowed", where waiting
    // wouldn't help.
    isThrottle: ({ status, text }) => status === 403 && /^[^{[]*rate limit exceeded/i.test(text),
    // doc/api/throttling.md: in every answer that counts for throttling.
    quotaLeft: ({ headers }) => {
      const remaining = Number.parseFloat(headers.get("x-rate-limit-remaining") ?? "");
      return Number.isFinite(remaining) ? remaining : null;
    },
    explainRefusal: ({ status, text }) => (status === 422 || status === 403 ? explained(text) : null),
  },
  columns: {
    pageSize: "100",
    maxLabelLength: 255,
    // This becomes the due date, by which Canvas sorts. Other LMSs would refuse scores after it.
    dates: ({ endsAt }) => (endsAt === null ? {} : { endDateTime: new Date(endsAt).toISOString() }),
    showsTiedOnly: false,
  },
  scores: {
    body: (standard, { comment, lastComment }) => {
      // Every post with a comment adds another comment, and every post without this mark opens a new attempt.
      const { comment: sent, ...rest } = standard;
      const repeated = sent === undefined || (lastComment !== undefined && lastComment === comment);
      return { ...rest, ...(repeated ? {} : { comment: sent }), [submission]: { new_submission: false } };
    },
    outcome: ({ status, text }) => {
      if (status === 400 && /timestamp/i.test(text)) return { kind: "conflict" };
      if (status === 412) return { kind: "gone" };
      if (![400, 403, 422].includes(status)) return null;
      const code = explained(text);
      return code === null ? null : { kind: "refused", code };
    },
    resultsPageSize: "100",
  },
  links: {
    contentItem: (link, { targets, endsAt }) => {
      // Becomes the due date, which Canvas's calendar shows, as for a column. `available` would lock the assignment.
      const item =
        endsAt === null ? link : { ...link, submission: { endDateTime: new Date(endsAt).toISOString() } };
      // Without a size, Canvas makes the frame low. If it accepts no frame, the link opens its own tab.
      if (targets.includes("iframe")) return { ...item, iframe: { width: 900, height: 700 } };
      return targets.includes("window") ? { ...item, window: { targetName: "_blank" } } : item;
    },
    opensLink: () => false,
    courseUrl: (returnUrl) => {
      // .../courses/7/external_content/success/external_tool_redirect only works in Canvas's own dialogs.
      const course = /^(\/courses\/\d+)\/external_content\//.exec(returnUrl.pathname)?.[1];
      return course === undefined ? null : new URL(`${returnUrl.origin}${course}`);
    },
  },
};

/** Every school's host in the cloud; a school may have another domain as well. */
const schools = "https://*.instructure.com";

function isCloud(origin: string): boolean {
  return /\.(instructure|canvaslms)\.com$/.test(new URL(origin).hostname);
}

/** Instructure's cloud, one for each stage. A client id is a developer key, which belongs to one school. */
function cloudOf(stage: string): Cloud {
  const school = `https://canvas.${stage}instructure.com`;
  return {
    issuer: school,
    configurationHosts: [`https://sso.${stage}canvaslms.com`, school],
    sharedClientId: false,
  };
}

/** Finds our code for the text of a refusal. */
const reasons: readonly (readonly [RegExp, PlainCode])[] = [
  [/concluded/i, "course-concluded"],
  [/not a student|not found in course/i, "not-gradable"],
  [/unpublished|not published/i, "column-unpublished"],
  [/not applicable/i, "not-applicable"],
  [/moderat/i, "being-moderated"],
  [/grading period/i, "grading-period-closed"],
  [/attempt/i, "attempts-exhausted"],
];

function explained(text: string): PlainCode | null {
  return reasons.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/**
 * Only scopes that every Canvas knows, because it refuses the whole configuration for an unknown one. Versions since 2024-07 know the
 * one for notices (Schemas::InternalLtiConfiguration takes LTI_SCOPES and LTI_HIDDEN_SCOPES), which we add if an administrator says so.
 */
const configuredScopes = [
  scopes.lineItem,
  scopes.lineItemReadOnly,
  scopes.resultReadOnly,
  scopes.score,
  scopes.membership,
];

/**
 * The configuration for "Enter URL" or "Paste JSON" of an LTI key. Custom fields are set for the tool, because Canvas fills in no
 * others for the roster.
 * @param options.notices For a Canvas that knows notices, such as Instructure's cloud. It then reports copied courses.
 */
export function canvasConfiguration(tool: ToolDescription, options: { notices?: boolean } = {}) {
  const { courseMenu, selections } = placements;
  const common = { enabled: true, text: tool.name, target_link_uri: tool.launchUrl };
  return {
    title: tool.name,
    description: tool.description,
    target_link_uri: tool.launchUrl,
    oidc_initiation_url: tool.loginUrl,
    public_jwk_url: tool.keysUrl,
    scopes: options.notices === true ? [...configuredScopes, scopes.noticeHandlers] : configuredScopes,
    custom_fields: canvas.registration.customParameters,
    extensions: [
      {
        platform: "canvas.instructure.com",
        domain: new URL(tool.publicUrl).host,
        tool_id: tool.id,
        privacy_level: privacyLevel,
        settings: {
          text: tool.name,
          icon_url: tool.logoUrl,
          placements: [
            {
              ...common,
              placement: courseMenu.name,
              message_type: "LtiResourceLinkRequest",
              default: "enabled",
              visibility: courseMenu.visibility,
              display_type: courseMenu.displayType,
              custom_fields: courseMenu.custom,
            },
            ...selections.map((placement) => ({
              ...common,
              placement,
              message_type: "LtiDeepLinkingRequest",
            })),
          ],
        },
      },
    ],
  };
}

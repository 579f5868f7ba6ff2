import { customParameter } from "../../domain/launch.ts";
import type { PlainCode } from "../../kernel/refusal.ts";
import type { ToolDescription } from "../registration-request.ts";
import { scopes } from "../scopes.ts";
import { type Cloud, commonParameters, type LmsProduct, type ToolMessage } from "./lms-product.ts";

const canvasUri = "https://canvas.instructure.com/lti";

/** Placements for which Canvas has its own names. */
const standardNames: ReadonlyMap<string, string> = new Map([
  ["link_selection", "ContentArea"],
  ["editor_button", "RichTextEditor"],
]);

/** With or without Canvas's prefix; two of them by the standard's names. */
function placementNames(placement: string): readonly string[] {
  const standard = standardNames.get(placement);
  return [placement, `${canvasUri}/${placement}`, ...(standard === undefined ? [] : [standard])];
}

/** Links of modules and assignments are their own. Not in the text editor, where every editor would show it. */
const placements = {
  courseMenu: {
    name: "course_navigation",
    /** Not for people who may look at a public course without being in it. */
    visibility: "members",
    /** Keeps Canvas's own menu next to the tool. */
    displayType: "full_width_in_context",
    /** Canvas's apps open each launch as a whole page: without a class, learners get to their own pages by the menu. */
    custom: { space_learners: "near" },
  },
  selections: ["link_selection", "assignment_selection"],
} as const;

/** Name and e-mail address, which the classroom needs to make its users; Canvas has no lower level with both. */
const privacyLevel = "public";

/** With Canvas's own extensions (its Dynamic Registration documentation). */
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

/** As Canvas's developer keys page shows them. */
const scopeNames: ReadonlyMap<string, string> = new Map([
  [scopes.lineItem, "Can create and view assignment data in the gradebook associated with the tool"],
  [scopes.resultReadOnly, "Can view submission data for assignments associated with the tool"],
  [scopes.score, "Can create and update submission results for assignments associated with the tool"],
  [scopes.membership, "Can retrieve user data associated with the context the tool is installed in"],
]);

const submission = `${canvasUri}/submission`;

/**
 * How Canvas differs from the standard. No adapter can mend that a sent score takes "excused" off the student, a mark
 * that AGS can neither set nor read: so only changed scores are sent.
 */
export const canvas: LmsProduct = {
  capabilities: {
    wording: "canvas",
    sections: "sections",
    sectionsByLaunchOnly: false,
    // With the course's own id for `rlid` it sends each member's sections.
    rosterByLink: true,
    rosterDemotesInstructors: false,
    // Each installation in a course is a deployment (ContextExternalTool#deployment_id). A user id is one for the whole
    // Canvas, and context ids are opaque and unique.
    idsHoldWithin: "registration",
    // <id of the installed tool>:<id of the place>; only the place is the same after another registration.
    lastingDeploymentPart: (deploymentId) => deploymentId.slice(deploymentId.indexOf(":") + 1),
    // deep_linking_response answers with a page.
    answerStaysOnOrigin: true,
    hiddenAfterRegistration: false,
    // The cloud has one issuer and shared hosts for all schools; a school's pages come from its own host under
    // instructure.com, or its own domain. Services are on the school's canonical host: only the return address of a
    // reader's own launch says which domain they use.
    frameAncestors: ({ registered, course, services, reader }) =>
      reader.length === 0
        ? null
        : [...registered, ...course, ...services, ...reader, ...(registered.some(isCloud) ? [schools] : [])],
    // scores_controller.rb stores it, and no requirement of a module asks for it.
    ignoresProgress: true,
    ownGradeCompletes: false,
    gradebook: {
      resultsInclude: "graded-only",
      reportsZero: true,
      // Excusing a learner empties their score; a tool sees no more of it.
      emptyMeansCleared: true,
      sendingEndsExcused: true,
      keepsTeachersGrade: false,
      // lti/result.rb: a tool's score is returned as sent; only a typed one is scaled to that maximum.
      resultsIn: "as-sent",
      resultsPerCall: 100,
    },
  },
  registration: {
    messages,
    placementNames,
    // Without placements Canvas would put the tool wherever it chooses.
    needsPlacement: true,
    extras: ({ id, vendor }) => ({
      [`${canvasUri}/privacy_level`]: privacyLevel,
      [`${canvasUri}/tool_id`]: id,
      [`${canvasUri}/vendor`]: vendor,
    }),
    // At the tool, never at a placement: Canvas expands them for the roster without a placement.
    customParameters: {
      ...commonParameters,
      [customParameter.sectionIds]: "$Canvas.course.sectionIds",
      [customParameter.sectionNames]: "$com.instructure.User.sectionNames",
      [customParameter.sectionSisIds]: "$Canvas.course.sectionSisSourceIds",
      [customParameter.sectionRestricted]: "$Canvas.course.sectionRestricted",
      [customParameter.canvasGroups]: "$Canvas.group.contextIds",
    },
    // On the account's own host whatever host the configuration is on (Lti::IMS
    // SecurityController#openid_configuration).
    endpointOnAnyHost: true,
    // It names its bare host as `authorization_server`, but takes the token address alone for an audience.
    tokenUrlIsAudience: true,
    configurationUrl: ({ canvasConfigurationUrl }) => canvasConfigurationUrl,
    // DynamicRegistrationController#show_configuration and #update; the address itself wants a person's session.
    ownConfiguration: "/configuration",
    whereToAllow: (scope) => {
      const name = scopeNames.get(scope);
      return `In Canvas: Admin > Developer Keys > the tool's key > LTI Advantage services (newer Canvas: Admin > Apps > Manage > the tool > Permissions), switch on ${name === undefined ? scope : `"${name}"`}.`;
    },
    clouds: ["", "beta.", "test."].map(cloudOf),
  },
  services: {
    rosterPageSize: undefined,
    // Canvas's older "slow down": status 403 and a line of plain text. A 403 with JSON means "not allowed", and waiting
    // would not help.
    isThrottle: ({ status, text }) => status === 403 && /^[^{[]*rate limit exceeded/i.test(text),
    // doc/api/throttling.md: in every answer to which throttling applies.
    quotaLeft: ({ headers }) => {
      const remaining = Number.parseFloat(headers.get("x-rate-limit-remaining") ?? "");
      return Number.isFinite(remaining) ? remaining : null;
    },
    explainRefusal: ({ status, text }) => (status === 422 || status === 403 ? explained(text) : null),
  },
  columns: {
    pageSize: "100",
    maxLabelLength: 255,
    // Becomes the due date, which Canvas sorts by; other LMSs would take no scores after it.
    dates: ({ endsAt }) => (endsAt === null ? {} : { endDateTime: new Date(endsAt).toISOString() }),
    showsTiedOnly: false,
  },
  scores: {
    body: (standard, { comment, lastComment }) => {
      // Every post with a comment adds one more; every post without this mark opens a new attempt.
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
      // Becomes the due date, which Canvas's calendar shows, as it shows a column's. `available` would lock the assignment.
      const item =
        endsAt === null ? link : { ...link, submission: { endDateTime: new Date(endsAt).toISOString() } };
      // Without a size Canvas keeps the frame low; where it takes no frame, the link opens its own tab.
      if (targets.includes("iframe")) return { ...item, iframe: { width: 900, height: 700 } };
      return targets.includes("window") ? { ...item, window: { targetName: "_blank" } } : item;
    },
    opensLink: () => false,
    courseUrl: (returnUrl) => {
      // .../courses/7/external_content/success/external_tool_redirect is made for Canvas's own dialogs.
      const course = /^(\/courses\/\d+)\/external_content\//.exec(returnUrl.pathname)?.[1];
      return course === undefined ? null : new URL(`${returnUrl.origin}${course}`);
    },
  },
};

/** A school's host, whichever other domain it has. */
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

/** Codes by Canvas's texts. */
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
 * Only scopes that every Canvas knows: an unknown one makes it refuse the whole configuration. Versions since 2024-07
 * know the one for notices (Schemas::InternalLtiConfiguration takes LTI_SCOPES and LTI_HIDDEN_SCOPES); it is asked for
 * where an administrator says so.
 */
const configuredScopes = [
  scopes.lineItem,
  scopes.lineItemReadOnly,
  scopes.resultReadOnly,
  scopes.score,
  scopes.membership,
];

/**
 * For "Enter URL" or "Paste JSON" of an LTI key. Custom fields belong to the tool: in the roster Canvas fills in no
 * others.
 * @param options.notices For a Canvas that knows notices, such as Instructure's cloud: it then reports copied courses.
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

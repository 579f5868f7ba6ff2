const lti = "https://purl.imsglobal.org/spec/lti/claim";
const lis = "http://purl.imsglobal.org/vocab/lis/v2";
const ags = "https://purl.imsglobal.org/spec/lti-ags";

export const moodleRoles = {
  instructor: [`${lis}/membership#Instructor`],
  learner: [`${lis}/membership#Learner`],
  siteAdmin: [
    `${lis}/institution/person#Administrator`,
    `${lis}/membership#Instructor`,
    `${lis}/system/person#Administrator`,
  ],
} as const;

/** What is special about one message; the rest is what a Moodle 4.5 sends with each. */
export type MoodleMessage = {
  sub: string;
  roles: readonly string[];
  /** First and last name; null when the site shares neither names nor e-mail addresses. */
  name: readonly [string, string] | null;
  userName: string;
  /** Ids of the person's groups as Moodle lists them, "1,2". */
  groups: string;
  course?: { id: string; label: string; title: string; history?: string };
  /** Null in a deep linking dialog. */
  link: { id: string; title: string; description: string } | null;
  /** Id of the link's column; null without one. */
  column: string | null;
  custom?: Readonly<Record<string, string>>;
  target: string;
  container?: "iframe" | "window";
  kind?: "LtiResourceLinkRequest" | "LtiDeepLinkingRequest" | "LtiSubmissionReviewRequest";
  forUser?: string;
  /** The first deep linking dialog of a course carries no roster. */
  roster?: boolean;
};

/** Variables Moodle 4.5 does not know: it sends their names back. */
const unknownVariables = {
  v_context_type: "$Context.type",
  v_coursegroup_id: "$CourseGroup.id",
  v_message_locale: "$Message.locale",
  v_activityid_history: "$ActivityId.history",
  v_ltilink_custom_url: "$ltiLink.custom.url",
};

/**
 * The claims of a message as a live Moodle 4.5.6 creates them, odd ones included: blank and null custom values, both spellings of a
 * mixed-case name, a `type` in its short form, LTI 1.1 outcomes beside the grade service. Issuer, audience, nonce and times are the
 * signer's. @param moodle Address of the site.
 */
export function moodleClaims(moodle: string, message: MoodleMessage): Record<string, unknown> {
  const {
    course = { id: "2", label: "BIO101", title: "Biology 101 – Spring" },
    link,
    column,
    name,
  } = message;
  const kind = message.kind ?? "LtiResourceLinkRequest";
  const services = `${moodle}/mod/lti/services.php`;
  const memberships = `${services}/CourseSection/${course.id}/bindings/1/memberships`;
  const columnUrl = column && `${services}/${course.id}/lineitems/${column}/lineitem?type_id=1`;
  const resultId = column && link && JSON.stringify({ data: { instanceid: link.id, userid: message.sub } });
  const outcome = resultId && {
    lis_result_sourcedid: resultId,
    lis_outcome_service_url: `${moodle}/mod/lti/service.php`,
  };
  return {
    sub: message.sub,
    name: name?.join(" "),
    given_name: name?.[0],
    family_name: name?.[1],
    email: name === null ? undefined : `${message.userName}@example.test`,
    [`${lti}/deployment_id`]: "1",
    [`${lti}/target_link_uri`]: message.target,
    [`${lti}/lis`]: { person_sourcedid: "", course_section_sourcedid: "SIS-BIO101-2026" },
    [`${lti}/roles`]: message.roles,
    [`${lti}/context`]: { id: course.id, label: course.label, title: course.title, type: ["CourseSection"] },
    [`${lti}/message_type`]: kind,
    [`${lti}/resource_link`]: link ?? undefined,
    ...(outcome && { "https://purl.imsglobal.org/spec/lti-bo/claim/basicoutcome": outcome }),
    [`${lti}/ext`]: { ...(name && { user_username: message.userName }), lms: "moodle-2" },
    [`${lti}/launch_presentation`]: {
      locale: "en",
      ...(link && {
        document_target: message.container ?? "iframe",
        return_url: `${moodle}/mod/lti/return.php?course=${course.id}&instanceid=${link.id}&sesskey=okL6`,
      }),
    },
    [`${lti}/tool_platform`]: {
      product_family_code: "moodle",
      version: "2024100706",
      guid: "cb8bda36",
      name: "lab",
      description: "Moodle LTI lab",
    },
    [`${lti}/version`]: "1.3.0",
    [`${lti}/for_user`]: message.forUser === undefined ? undefined : { user_id: message.forUser },
    [`${lti}/custom`]: {
      ...message.custom,
      mixedcase: "Keep=Equals;semi",
      MixedCase: "Keep=Equals;semi",
      v_context_id: course.id,
      v_context_id_history: course.history ?? "",
      v_resourcelink_id: link?.id ?? null,
      v_user_username: message.userName,
      v_person_name_full: name?.join(" ") ?? null,
      v_person_name_middle: name === null ? null : "",
      v_result_sourcedid: resultId ?? null,
      v_moodle_person_usergroupids: message.groups,
      v_lineitem_url: columnUrl ?? "",
      v_ltilink_memberships_url: `${services}/links/{link_id}/memberships`,
      ...unknownVariables,
      ...(message.roster !== false && { context_memberships_url: memberships }),
    },
    [`${ags}/claim/endpoint`]: {
      scope: ["lineitem", "lineitem.readonly", "result.readonly", "score"].map(
        (last) => `${ags}/scope/${last}`,
      ),
      lineitems: `${services}/${course.id}/lineitems?type_id=1`,
      ...(columnUrl && { lineitem: columnUrl }),
    },
    ...(message.roster !== false && {
      "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
        context_memberships_url: memberships,
        service_versions: ["1.0", "2.0"],
      },
    }),
    ...(kind === "LtiDeepLinkingRequest" && {
      "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings": {
        accept_types: ["ltiResourceLink"],
        accept_presentation_document_targets: ["frame", "iframe", "window"],
        accept_copy_advice: false,
        accept_multiple: true,
        accept_unsigned: false,
        auto_create: false,
        can_confirm: false,
        deep_link_return_url: `${moodle}/mod/lti/contentitem_return.php?course=${course.id}&id=1&sesskey=mQiF`,
        title: "Spaces",
        text: "",
      },
    }),
  };
}

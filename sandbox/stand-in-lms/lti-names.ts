// Imitates nothing.
import type { Person, Tool } from "./lms-records.ts";
import type { BegunLaunch } from "./lms.ts";

export const lti = {
  claim: "https://purl.imsglobal.org/spec/lti/claim",
  membership: "http://purl.imsglobal.org/vocab/lis/v2/membership",
  platformConfiguration: "https://purl.imsglobal.org/spec/lti-platform-configuration",
  toolConfiguration: "https://purl.imsglobal.org/spec/lti-tool-configuration",
  deepLinkingSettings: "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings",
  contentItems: "https://purl.imsglobal.org/spec/lti-dl/claim/content_items",
  gradesClaim: "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint",
  groupsClaim: "https://purl.imsglobal.org/spec/lti-gs/claim/groupsservice",
  noticesClaim: "https://purl.imsglobal.org/spec/lti/claim/platformnotificationservice",
  rosterClaim: "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice",
  basicOutcomeClaim: "https://purl.imsglobal.org/spec/lti-bo/claim/basicoutcome",
  scope: {
    lineItem: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    lineItemReadOnly: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly",
    result: "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
    score: "https://purl.imsglobal.org/spec/lti-ags/scope/score",
    roster: "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
  },
  /** Of services that only some products have. */
  extraScope: {
    groups: "https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly",
    notices: "https://purl.imsglobal.org/spec/lti/scope/noticehandlers",
  },
  /** Of a tool's own registration, in Canvas. */
  ownScope: {
    read: "https://purl.imsglobal.org/spec/lti-reg/scope/registration.readonly",
    change: "https://purl.imsglobal.org/spec/lti-reg/scope/registration",
  },
  media: {
    groups: "application/vnd.ims.lti-gs.v1.contextgroupcontainer+json",
    lineItem: "application/vnd.ims.lis.v2.lineitem+json",
    lineItems: "application/vnd.ims.lis.v2.lineitemcontainer+json",
    score: "application/vnd.ims.lis.v1.score+json",
    results: "application/vnd.ims.lis.v2.resultcontainer+json",
    roster: "application/vnd.ims.lti-nrps.v2.membershipcontainer+json",
  },
} as const;

/** Names and e-mail addresses as far as they are shared: in launches and in rosters. */
export function personFields(
  { given, family, email: address }: Person,
  { names, email }: { names: boolean; email: boolean },
): Record<string, string> {
  return {
    ...(names ? { name: `${given} ${family}`, given_name: given, family_name: family } : {}),
    ...(email ? { email: address } : {}),
  };
}

/** Which message a launch from a link sends, and about which person. @param nameOf A person's id as the product names it. */
export function messageClaims({ review }: BegunLaunch, nameOf: (personId: string) => string) {
  const type = review === null ? "LtiResourceLinkRequest" : "LtiSubmissionReviewRequest";
  return {
    [`${lti.claim}/message_type`]: type,
    ...(review === null ? {} : { [`${lti.claim}/for_user`]: { user_id: nameOf(review.person.id) } }),
  };
}

/** AGS, for a tool with one of its scopes. */
export function gradesClaim({ scopes }: Tool, lineItems: string, lineItem: string | null) {
  const scope = scopes.filter((one) => one.includes("/lti-ags/")).sort();
  const coupled = lineItem === null ? {} : { lineitem: lineItem };
  return scope.length === 0 ? {} : { [lti.gradesClaim]: { scope, lineitems: lineItems, ...coupled } };
}

/** NRPS, for a tool with its scope. */
export function rosterClaim({ scopes }: Tool, memberships: string, versions = ["2.0"]) {
  const claim = { context_memberships_url: memberships, service_versions: versions };
  return scopes.includes(lti.scope.roster) ? { [lti.rosterClaim]: claim } : {};
}

import { refusal } from "../kernel/refusal.ts";

/** Scopes of AGS 2.0 (section 3), NRPS 2.0 (section 3.6.1) and Course Groups 1.0. */
export const scopes = {
  lineItem: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
  lineItemReadOnly: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly",
  resultReadOnly: "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
  score: "https://purl.imsglobal.org/spec/lti-ags/scope/score",
  /** Platform Notification Service 1.0. */
  noticeHandlers: "https://purl.imsglobal.org/spec/lti/scope/noticehandlers",
  membership: "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
  groups: "https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly",
  /** For reading and changing the tool's own registration (Canvas's doc/api, LTI registration updates). */
  registration: "https://purl.imsglobal.org/spec/lti-reg/scope/registration",
} as const;

/** Without these, something that the tool promises doesn't work. The others are used if an LMS has them. */
export const neededScopes: readonly string[] = [
  scopes.membership,
  scopes.lineItem,
  scopes.resultReadOnly,
  scopes.score,
];

const gradeScopes: readonly string[] = [scopes.lineItem, scopes.resultReadOnly, scopes.score];

/**
 * Scopes for a token of the grade services: all granted ones that we use, so one token serves all calls.
 * @param granted The scopes that the launch listed.
 * @param anyOf Scopes of which the call needs at least one.
 * @throws NamedError "scope-not-granted"
 */
export function gradeScopesFor(granted: readonly string[], anyOf: readonly string[]): readonly string[] {
  if (!anyOf.some((scope) => granted.includes(scope))) {
    throw refusal("scope-not-granted", {
      status: 403,
      details: { needed: anyOf.map((scope) => scope.split("/").at(-1)) },
    });
  }
  const usual = granted.filter((scope) => gradeScopes.includes(scope));
  return usual.some((scope) => anyOf.includes(scope))
    ? usual
    : granted.filter((scope) => anyOf.includes(scope));
}

/** AGS 2.0, section 3; NRPS 2.0, section 3.6.1; Course Groups 1.0. */
export const scopes = {
  lineItem: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
  lineItemReadOnly: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly",
  resultReadOnly: "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
  score: "https://purl.imsglobal.org/spec/lti-ags/scope/score",
  /** Platform Notification Service 1.0. */
  noticeHandlers: "https://purl.imsglobal.org/spec/lti/scope/noticehandlers",
  membership: "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
  groups: "https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly",
} as const;

/** Without these something the tool promises does not work; the others are used where an LMS has them. */
export const neededScopes: readonly string[] = [
  scopes.membership,
  scopes.lineItem,
  scopes.resultReadOnly,
  scopes.score,
];

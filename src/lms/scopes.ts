/** Scopes of the LMS services we use (AGS 2.0, section 3; NRPS 2.0, section 3.6.1). */
export const scopes = {
  lineItem: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
  lineItemReadOnly: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly",
  resultReadOnly: "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
  score: "https://purl.imsglobal.org/spec/lti-ags/scope/score",
  membership: "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
} as const;

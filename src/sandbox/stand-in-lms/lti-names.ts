/** Prefixes and names of the LTI specifications, as they appear in messages. */
export const lti = {
  claim: "https://purl.imsglobal.org/spec/lti/claim",
  membership: "http://purl.imsglobal.org/vocab/lis/v2/membership",
  platformConfiguration: "https://purl.imsglobal.org/spec/lti-platform-configuration",
  toolConfiguration: "https://purl.imsglobal.org/spec/lti-tool-configuration",
  deepLinkingSettings: "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings",
  contentItems: "https://purl.imsglobal.org/spec/lti-dl/claim/content_items",
  gradesClaim: "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint",
  rosterClaim: "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice",
  basicOutcomeClaim: "https://purl.imsglobal.org/spec/lti-bo/claim/basicoutcome",
  scope: {
    lineItem: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    lineItemReadOnly: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly",
    result: "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
    score: "https://purl.imsglobal.org/spec/lti-ags/scope/score",
    roster: "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
  },
  media: {
    lineItem: "application/vnd.ims.lis.v2.lineitem+json",
    lineItems: "application/vnd.ims.lis.v2.lineitemcontainer+json",
    score: "application/vnd.ims.lis.v1.score+json",
    results: "application/vnd.ims.lis.v2.resultcontainer+json",
    roster: "application/vnd.ims.lti-nrps.v2.membershipcontainer+json",
  },
} as const;

// Imitates nothing.
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
  media: {
    groups: "application/vnd.ims.lti-gs.v1.contextgroupcontainer+json",
    lineItem: "application/vnd.ims.lis.v2.lineitem+json",
    lineItems: "application/vnd.ims.lis.v2.lineitemcontainer+json",
    score: "application/vnd.ims.lis.v1.score+json",
    results: "application/vnd.ims.lis.v2.resultcontainer+json",
    roster: "application/vnd.ims.lti-nrps.v2.membershipcontainer+json",
  },
} as const;

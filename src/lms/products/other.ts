import { customParameter } from "../../domain/launch.ts";
import { type Cloud, commonParameters, type LmsProduct, standardMessages } from "./lms-product.ts";

/**
 * Blackboard's developer portal is the issuer for every Blackboard Learn. Configuration and registration endpoint are on
 * developer.blackboard.com (Anthology's article 000090618); the portal's newer name is developer.anthology.com. A tool registers there
 * once and gives its client id to all institutions, each with its own deployment id (docs.anthology.com, "Registering a new LTI
 * application").
 */
const blackboard: Cloud = {
  issuer: "https://blackboard.com",
  configurationHosts: ["https://developer.blackboard.com", "https://developer.anthology.com"],
  sharedClientId: true,
};

/** The plain standard, for products without an adapter. Careful where the standard leaves a choice. */
export const other: LmsProduct = {
  capabilities: {
    wording: "other",
    // Groups of the course groups service (1.0).
    sections: "groups",
    sectionsByLaunchOnly: false,
    rosterByLink: false,
    rosterDemotesInstructors: false,
    // LTI Core 1.3: a context id is unique within its deployment, and another deployment may be another institution.
    idsHoldWithin: "deployment",
    lastingDeploymentPart: null,
    // We don't know it for them, and a teacher's choice must not be lost.
    answerStaysOnOrigin: false,
    hiddenAfterRegistration: false,
    // Hosted LMSs may show a course under several hosts, so we only know them if the reader's host is registered.
    frameAncestors: ({ registered, reader }) =>
      reader.some((origin) => registered.includes(origin)) ? registered : null,
    ignoresProgress: false,
    ownGradeCompletes: false,
    gradebook: {
      resultsInclude: "everybody",
      reportsZero: false,
      emptyMeansCleared: false,
      sendingEndsExcused: false,
      keepsTeachersGrade: false,
      resultsIn: "in-result",
      resultsPerCall: 100,
    },
  },
  registration: {
    messages: standardMessages,
    placementNames: (placement) => [placement],
    needsPlacement: false,
    extras: () => ({}),
    customParameters: { ...commonParameters, [customParameter.linkHistory]: "$ResourceLink.id.history" },
    endpointOnAnyHost: false,
    tokenUrlIsAudience: false,
    configurationUrl: () => null,
    ownConfiguration: null,
    whereToAllow: (scope) => `In the LMS's settings of the tool, allow the scope ${scope}.`,
    clouds: [blackboard],
  },
  services: {
    rosterPageSize: undefined,
    isThrottle: () => false,
    quotaLeft: () => null,
    explainRefusal: () => null,
  },
  columns: {
    pageSize: undefined,
    // Open edX (lti_consumer/models.py, LtiAgsLineItem.label) refuses longer labels, and never publishes scores of a column without a
    // link to its block (signals.py, publish_grade_on_score_update). It doesn't say which product it is.
    maxLabelLength: 100,
    showsTiedOnly: true,
    dates: () => ({}),
  },
  scores: { body: (standard) => standard, outcome: () => null, resultsPageSize: undefined },
  links: { contentItem: (item) => item, courseUrl: () => null, opensLink: () => false },
};

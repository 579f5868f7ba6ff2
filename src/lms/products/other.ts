import { customParameter } from "../../domain/launch.ts";
import type { Cloud, LmsProduct } from "./lms-product.ts";
import { commonParameters, standardMessages } from "./standard.ts";

/**
 * Blackboard's developer portal answers for every Blackboard Learn with this issuer; its configuration and registration
 * endpoint lie on developer.blackboard.com (Anthology's article 000090618 shows the whole configuration), the portal's
 * newer name is developer.anthology.com. A tool registers there once and gives its client id to all institutions, each
 * of which has a deployment id of its own (docs.anthology.com, "Registering a new LTI application").
 */
const blackboard: Cloud = {
  issuer: "https://blackboard.com",
  configurationHosts: ["https://developer.blackboard.com", "https://developer.anthology.com"],
  sharedClientId: true,
};

/** The plain standard, for every product without an adapter of its own; careful where the standard leaves it open. */
export const other: LmsProduct = {
  capabilities: {
    wording: "other",
    // What the course groups service (1.0) tells.
    sections: "groups",
    sectionsByLaunchOnly: false,
    rosterByLink: false,
    rosterDemotesInstructors: false,
    // LTI Core 1.3: a context id is unique within its deployment. Another deployment may be another institution, whose ids mean
    // other people.
    idsHoldWithin: "deployment",
    lastingDeploymentPart: null,
    // Not known of them, and what a teacher has chosen must not be lost.
    answerStaysOnOrigin: false,
    hiddenAfterRegistration: false,
    // A hosted LMS (Blackboard, Schoology, Brightspace) may show the same course under several hosts: only one whose reader came
    // by a host it was registered with is known.
    frameAncestors: ({ registered, reader }) =>
      reader.some((origin) => registered.includes(origin)) ? registered : null,
    gradebook: {
      resultsInclude: "everybody",
      reportsZero: false,
      emptyMeansCleared: false,
      sendingEndsExcused: false,
      keepsTeachersGrade: false,
      resultsIn: "told",
    },
  },
  registration: {
    messages: standardMessages,
    placementNames: (wanted) => [wanted],
    needsPlacement: false,
    extras: () => ({}),
    customParameters: { ...commonParameters, [customParameter.linkHistory]: "$ResourceLink.id.history" },
    endpointOnAnyHost: false,
    tokenUrlIsAudience: false,
    configurationUrl: () => null,
    whereToAllow: (scope) => `In the LMS's settings of the tool, allow the scope ${scope}.`,
    clouds: [blackboard],
  },
  services: { isThrottle: () => false, quotaLeft: () => null, explainRefusal: () => null },
  columns: {
    pageSize: undefined,
    // Open edX (lti_consumer/models.py, LtiAgsLineItem.label) refuses more, and never publishes the scores of a column that is
    // not tied to its block (signals.py, publish_grade_on_score_update); it does not say which product it is.
    longestLabel: 100,
    showsTiedOnly: true,
    dates: () => ({}),
  },
  scores: { body: (standard) => standard, outcome: () => null, resultsPageSize: undefined },
  links: { contentItem: (item) => item, courseUrl: () => null },
};

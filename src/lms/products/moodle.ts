import { customParameter } from "../../domain/launch.ts";
import { scopes } from "../scopes.ts";
import { commonParameters, type LmsProduct, standardMessages } from "./lms-product.ts";

const allowServices =
  "In Moodle: Site administration > Plugins > Activity modules > External tool > Manage tools > the tool's settings > Services,";

/** How Moodle (measured on 4.5.6) differs from the standard. */
export const moodle: LmsProduct = {
  capabilities: {
    wording: "moodle",
    sections: "groups",
    // $Moodle.Person.userGroupIds comes with launches. Its roster has no groups, and there is no groups service.
    sectionsByLaunchOnly: true,
    rosterByLink: false,
    // A non-editing teacher is an Instructor in launches and a Learner in the roster.
    rosterDemotesInstructors: true,
    idsHoldWithin: "deployment",
    // A deployment id is the number of the registered tool.
    lastingDeploymentPart: null,
    // mod/lti/contentitem_return.php answers with a page.
    answerStaysOnOrigin: true,
    // A registration and each update set it to "preconfigured".
    hiddenAfterRegistration: true,
    // All its pages come from its own address, which is its issuer (dynamic registration, `wwwroot`).
    frameAncestors: ({ registered, course, reader }) => [...registered, ...course, ...reader],
    // Measured on 4.5.
    ignoresProgress: true,
    // Measured on 4.5: `grade_grade::notify_changed` ignores columns made by tools.
    ownGradeCompletes: true,
    gradebook: {
      resultsInclude: "everybody",
      reportsZero: true,
      // Versions differ in whether they report a 0. "No grade" looks the same as a course that was reset.
      emptyMeansCleared: false,
      sendingEndsExcused: false,
      keepsTeachersGrade: true,
      // A result has the final grade. Its maximum is the one for which the grade was written (`rawgrademax`).
      resultsIn: "column",
      // Measured on 4.5: all rows come in one reply, and 1,450 rows take twice as long as one.
      resultsPerCall: 1_000,
    },
  },
  registration: {
    messages: standardMessages,
    placementNames: (placement) => [placement],
    needsPlacement: false,
    extras: () => ({}),
    // The tool's parameters win over a link's parameters with the same name, so the two sets must not overlap.
    customParameters: { ...commonParameters, [customParameter.moodleGroups]: "$Moodle.Person.userGroupIds" },
    endpointOnAnyHost: false,
    tokenUrlIsAudience: false,
    configurationUrl: () => null,
    ownConfiguration: null,
    whereToAllow: (scope) =>
      scope === scopes.membership
        ? `${allowServices} set "IMS LTI Names and Role Provisioning" to "Use this service to retrieve members' information as per privacy settings".`
        : `${allowServices} set "IMS LTI Assignment and Grade Services" to "Use this service for grade sync and column management".`,
    clouds: [],
  },
  services: {
    // Without a limit, everybody comes in one reply at 3 to 5 ms a person. For 2,000 people, that is as long as we wait for an answer.
    rosterPageSize: "1000",
    isThrottle: () => false,
    quotaLeft: () => null,
    explainRefusal: () => null,
  },
  columns: {
    // Without a limit, everything comes in one page. With one, the links to pages are malformed.
    pageSize: undefined,
    // gradebookservices_lineitem.php: a longer label breaks the status line.
    maxLabelLength: 255,
    // Moodle accepts dates and forgets them.
    dates: () => ({}),
    showsTiedOnly: false,
  },
  scores: {
    body: (standard) => standard,
    outcome: ({ status, headers, text }) => {
      if (status === 400) return { kind: "refused", code: "not-gradable" };
      // A locked column or grade answers with an empty list of the score's own media type, unlike the page of a real failure.
      const ofScore = /vnd\.ims\.lis\.v1\.score/.test(headers.get("content-type") ?? "");
      if (status === 500 && ofScore && text.trim() === "[]") return { kind: "refused", code: "grade-locked" };
      return null;
    },
    // A request for results with a limit gets 404. Without one, all rows come in one reply.
    resultsPageSize: undefined,
  },
  links: {
    // The title names the column (lineItem.label is ignored), and sizes and dates are ignored, so the standard item is fine.
    contentItem: (item) => item,
    // lti_build_login_request adds a course module only for a link.
    opensLink: (messageHint) => /[{,]"cmid":"?\d/.test(messageHint),
    courseUrl: (returnUrl) => {
      // return.php?course=2&...&sesskey=... redirects to this page. The sesskey belongs to one person.
      const course = returnUrl.searchParams.get("course") ?? "";
      const folder = /^(.*)\/mod\/lti\/return\.php$/.exec(returnUrl.pathname)?.[1];
      if (folder === undefined || !/^\d+$/.test(course)) return null;
      return new URL(`${returnUrl.origin}${folder}/course/view.php?id=${course}`);
    },
  },
};

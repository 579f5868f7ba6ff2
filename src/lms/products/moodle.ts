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
    // $Moodle.Person.userGroupIds, at launches; its roster has no groups, and there is no groups service.
    sectionsByLaunchOnly: true,
    rosterByLink: false,
    // A non-editing teacher is an Instructor in launches and a Learner in the roster.
    rosterDemotesInstructors: true,
    idsHoldWithin: "deployment",
    // Its deployment id is the number of the registered tool.
    lastingDeploymentPart: null,
    // mod/lti/contentitem_return.php answers with a page.
    answerStaysOnOrigin: true,
    // A registration and each update set "preconfigured".
    hiddenAfterRegistration: true,
    // Its pages all come from its own address, which is its issuer (dynamic registration, `wwwroot`).
    frameAncestors: ({ registered, course, reader }) => [...registered, ...course, ...reader],
    // Measured on 4.5.
    ignoresProgress: true,
    // Measured on 4.5: `grade_grade::notify_changed` leaves out columns of tools.
    ownGradeCompletes: true,
    gradebook: {
      resultsInclude: "everybody",
      reportsZero: true,
      // Versions differ in whether a 0 is shown; no grade and a course that was reset look the same.
      emptyMeansCleared: false,
      sendingEndsExcused: false,
      keepsTeachersGrade: true,
      // A result has the final grade, and as its maximum the one that the grade was written with (`rawgrademax`).
      resultsIn: "column",
      // Measured on 4.5: all rows come in one reply; 1,450 take twice as long as one.
      resultsPerCall: 1_000,
    },
  },
  registration: {
    messages: standardMessages,
    placementNames: (placement) => [placement],
    needsPlacement: false,
    extras: () => ({}),
    // The tool's parameters win over a link's of the same name, so the two sets must not meet.
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
    // Without a limit everybody comes in one reply, which takes 3 to 5 ms a person: 2,000 took as long as we wait for an answer.
    rosterPageSize: "1000",
    isThrottle: () => false,
    quotaLeft: () => null,
    explainRefusal: () => null,
  },
  columns: {
    // Without a limit everything comes in one page; with one, the page links are malformed.
    pageSize: undefined,
    // gradebookservices_lineitem.php: longer ones end in a broken status line.
    maxLabelLength: 255,
    // It takes dates and forgets them.
    dates: () => ({}),
    showsTiedOnly: false,
  },
  scores: {
    body: (standard) => standard,
    outcome: ({ status, headers, text }) => {
      if (status === 400) return { kind: "refused", code: "not-gradable" };
      // A locked column or grade: an empty list with the score's own media type, unlike a real failure's page.
      const ofScore = /vnd\.ims\.lis\.v1\.score/.test(headers.get("content-type") ?? "");
      if (status === 500 && ofScore && text.trim() === "[]") return { kind: "refused", code: "grade-locked" };
      return null;
    },
    // Results with a limit are 404; without one all rows come in one reply.
    resultsPageSize: undefined,
  },
  links: {
    // The title names the column (lineItem.label is ignored) and sizes are ignored, so the standard item serves.
    // It forgets dates.
    contentItem: (item) => item,
    // lti_build_login_request names a course module for a link alone.
    opensLink: (messageHint) => /[{,]"cmid":"?\d/.test(messageHint),
    courseUrl: (returnUrl) => {
      // return.php?course=2&...&sesskey=... redirects to this page; the sesskey is that person's alone.
      const course = returnUrl.searchParams.get("course") ?? "";
      const folder = /^(.*)\/mod\/lti\/return\.php$/.exec(returnUrl.pathname)?.[1];
      if (folder === undefined || !/^\d+$/.test(course)) return null;
      return new URL(`${returnUrl.origin}${folder}/course/view.php?id=${course}`);
    },
  },
};

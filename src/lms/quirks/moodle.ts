import type { PlatformManners } from "./platform-manners.ts";

/** How Moodle (measured on 4.5.6) differs from the standard. */
export const moodleManners: PlatformManners = {
  gradebook: {
    tells: "everybody",
    tellsZero: true,
    // Versions differ in whether a 0 is shown; no grade and a course that was reset look the same.
    emptyIsTeachers: false,
    sendingEndsExcused: false,
    keepsTeachersGrade: true,
    // A result has the final grade, and as its maximum the one that the grade was written with (`rawgrademax`).
    resultsIn: "column",
  },
  // Results with a limit are 404; without one all rows come at once.
  resultsPageSize: undefined,
  // It takes dates and forgets them.
  lineItemDates: () => ({}),
  explainRefusal: () => null,
  // Without a limit everything comes in one page; with one, the page links are malformed.
  // gradebookservices_lineitem.php: longer ones end in a broken status line.
  longestLabel: 255,
  quotaLeft: () => null,
  showsTiedColumnsOnly: false,
  lineItemsPageSize: undefined,
  scoreBody: (body) => body,
  // The title names the column (lineItem.label is ignored) and sizes are ignored, so the standard item serves.
  contentItem: (item) => item,
  courseUrl: (returnUrl) => {
    // return.php?course=2&...&sesskey=... sends a person on to this page; the sesskey is that person's alone.
    const course = returnUrl.searchParams.get("course") ?? "";
    const folder = /^(.*)\/mod\/lti\/return\.php$/.exec(returnUrl.pathname)?.[1];
    if (folder === undefined || !/^\d+$/.test(course)) return null;
    return new URL(`${returnUrl.origin}${folder}/course/view.php?id=${course}`);
  },
  judgeScore: ({ status, headers, text }) => {
    if (status === 400) {
      return {
        kind: "refused",
        code: "not-gradable",
        reason:
          "Moodle does not accept a grade for this person: they are not a student of the course (any more), or are a teacher in it.",
      };
    }
    // A locked column or grade: an empty list with the score's own media type, unlike a real failure's page.
    const ofScore = /vnd\.ims\.lis\.v1\.score/.test(headers.get("content-type") ?? "");
    if (status === 500 && ofScore && text.trim() === "[]") {
      return {
        kind: "refused",
        code: "grade-locked",
        reason:
          "The column or this grade is locked in Moodle's gradebook. Unlock it there, then send the grade again.",
      };
    }
    return null;
  },
};

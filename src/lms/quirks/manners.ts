import type { PlatformFamily } from "../../domain/registration.ts";
import { canvasManners } from "./canvas.ts";
import { moodleManners } from "./moodle.ts";
import type { PlatformManners } from "./platform-manners.ts";

const standardManners: PlatformManners = {
  gradebook: {
    tells: "everybody",
    tellsZero: false,
    emptyIsTeachers: false,
    sendingEndsExcused: false,
    keepsTeachersGrade: false,
    resultsIn: "told",
  },
  resultsPageSize: undefined,
  lineItemDates: () => ({}),
  quotaLeft: () => null,
  // Open edX (lti_consumer/models.py, LtiAgsLineItem.label) refuses more, and never publishes the scores of a column that is
  // not tied to its block (signals.py, publish_grade_on_score_update); it does not say which product it is.
  longestLabel: 100,
  showsTiedColumnsOnly: true,
  explainRefusal: () => null,
  lineItemsPageSize: undefined,
  scoreBody: (body) => body,
  judgeScore: () => null,
  contentItem: (item) => item,
  courseUrl: () => null,
};

/** The manners of a product. */
export function mannersOf(family: PlatformFamily): PlatformManners {
  switch (family) {
    case "moodle":
      return moodleManners;
    case "canvas":
      return canvasManners;
    case "other":
      return standardManners;
  }
}

import type { Assumption } from "./assumption.ts";

/**
 * What the stand-in LMSs do although no standard or source says that all do. Moodle's manners were measured on a live Moodle 4.5;
 * Canvas's are from its source, where that was read to the end; the third manners choose where a standard leaves a choice.
 */
export const lmsAssumptions = {
  canvasDeletedIsUnpublished: {
    assumed: 'Canvas: a changed score for a deleted assignment is 422, "unpublished".',
    opposite: 'it is 422, "not applicable".',
    looked: "submission.rb, `can_autograde_symbolic_status`, knows both; no spec posts such a score.",
    reliedOn: "src/modules/grading/rules/delivery.ts, missing columns.",
    borneBy: "tool",
  },
  canvasPagesOfTen: {
    assumed: "Canvas: columns and results come ten a page.",
    opposite: "a hundred a page.",
    looked: "line_items_controller.rb pages with the API's default, which an institution's version may set.",
    reliedOn: "src/lms, reading pages.",
    borneBy: "tool",
  },
  canvasColumnsArePublished: {
    assumed: "Canvas: a column that a tool makes is published at once.",
    opposite: "it is unpublished until a teacher publishes it.",
    looked:
      "line_item.rb sets no state; deep linked ones are set unpublished. The default was not seen live.",
    reliedOn: "courses that let the tool make its column.",
    borneBy: "nobody",
    loss: "scores wait, and the teacher is told to publish the column first.",
  },
  canvasConcludedIs422: {
    assumed: "Canvas: a score in a concluded course is 422.",
    opposite: "404, as without `ags_improved_course_concluded_response_codes`.",
    looked: "gradebook_services.rb has both; which flag an institution has is not known.",
    reliedOn: "src/modules/grading/rules/delivery.ts.",
    borneBy: "tool",
  },
  tokenSaysScope: {
    assumed: "third manners: a token's answer repeats the scopes.",
    opposite: "it does not, because they are those that were asked for.",
    looked: "RFC 6749, 5.1: optional if identical.",
    reliedOn: "src/lms, tokens.",
    borneBy: "tool",
  },
  tokenIsCapital: {
    assumed: 'third manners: `token_type` is "Bearer".',
    opposite: '"bearer".',
    looked: "RFC 6749, 5.1: the value is not case sensitive.",
    reliedOn: "src/lms, tokens.",
    borneBy: "tool",
  },
  tokenLastsAnHour: {
    assumed: "third manners: an access token lasts an hour.",
    opposite: "a minute.",
    looked: "LTI Security 1.0, 4.1: 3600 is recommended, not asked for.",
    reliedOn: "src/lms, tokens.",
    borneBy: "tool",
  },
  audienceIsList: {
    assumed: "third manners: `aud` is a list with one entry, `azp` names it.",
    opposite: "`aud` is a text, and there is no `azp`.",
    looked: "LTI Security 1.0, 5.1.2: both are allowed.",
    reliedOn: "launches, notices.",
    borneBy: "tool",
  },
  loginIsGet: {
    assumed: "third manners: a login is begun by GET.",
    opposite: "by POST.",
    looked: "LTI Security 1.0, 5.1.1.1: both.",
    reliedOn: "src/lms, logins.",
    borneBy: "tool",
  },
  withheldIsNull: {
    assumed: "third manners: names and addresses that are withheld are null.",
    opposite: "they are left out.",
    looked: "LTI 1.3 Core, 5.3.6, and NRPS 2.0, 2.2: may be left out; null is what some do.",
    reliedOn: "launches, rosters.",
    borneBy: "tool",
  },
  statusIsTold: {
    assumed: "third manners: an active member of the roster has the status Active.",
    opposite: "no status.",
    looked: "NRPS 2.0, 2.2: status is optional, absent is active.",
    reliedOn: "rosters.",
    borneBy: "tool",
  },
  rosterPagesAreLong: {
    assumed: "third manners: the roster comes a hundred a page, in the order of enrolment.",
    opposite: "seven a page, the last enrolled first.",
    looked: "NRPS 2.0, 2.4.1: the platform decides; no order is named.",
    reliedOn: "rosters.",
    borneBy: "tool",
  },
  columnsInOrder: {
    assumed: "third manners: columns are listed oldest first, 25 a page.",
    opposite: "newest first, one a page.",
    looked: "AGS 2.0, 3.2: no order is named, page sizes are the platform's.",
    reliedOn: "columns.",
    borneBy: "tool",
  },
  scoresAnswerNothing: {
    assumed: "third manners: a score is answered 204.",
    opposite: "200 with a body.",
    looked: "AGS 2.0, 3.4: success is any of the 200s.",
    reliedOn: "scores.",
    borneBy: "tool",
  },
  resultsNameMaximum: {
    assumed: "third manners: a result tells the maximum it is out of.",
    opposite: "it does not; then it is out of 1.",
    looked: "AGS 2.0, 3.3: resultMaximum is optional, 1 when absent.",
    reliedOn: "checks for a teacher's grades.",
    borneBy: "tool",
  },
  noticesComeOnce: {
    assumed: "third manners: a notice that was taken does not come again.",
    opposite: "every notice comes twice, with the same id and another nonce.",
    looked: "Platform Notification Service: at least once.",
    reliedOn: "notices of copied courses.",
    borneBy: "tool",
  },
} as const satisfies Record<string, Assumption>;

/**
 * Where each file of the stand-ins that imitates something has it from. "Document": the interface document of the Virtual
 * Classroom Service, by its parts; what it does not show is in `assumptions-of-*.ts`. "Measured": on a live Moodle 4.5.6. Names
 * that end in .php are of Moodle's source, those in .rb of Canvas's.
 */
export const origins: Readonly<Record<string, string>> = {
  "stand-in-classroom/actions.ts": "document 6.4, 6.5, 6.8",
  "stand-in-classroom/api-operations.ts": "document 2, 4; bodies and replies are assumed",
  "stand-in-classroom/api-router.ts": "document 4, 5 (item 1), 7, 8; statuses but 429 are assumed",
  "stand-in-classroom/attendance-book.ts": "document 6.6",
  "stand-in-classroom/clients-shapes.ts":
    "three public programs: EscolaLMS/Pencil-Spaces, PipedreamHQ/pipedream and one in JavaScript; the size of a page is assumed",
  "stand-in-classroom/cohort-actions.ts": "document 6.7",
  "stand-in-classroom/embed-events.ts": "document 3, 6.9",
  "stand-in-classroom/end-redirect.ts": "document 1 (item 9); its names are assumed",
  "stand-in-classroom/pages.ts":
    "assumed: document 8 shows no page sizes; the numbered manner is that of public programs",
  "stand-in-classroom/presence-actions.ts": "document 6.2",
  "stand-in-classroom/rate-limit.ts": "document 8; when a call counts is assumed",
  "stand-in-classroom/refusal.ts": "assumed: document 7 shows no error body",
  "stand-in-classroom/reply-times.ts": "assumed",
  "stand-in-classroom/role-in-space.ts": "document 1 (item 1), 2, 4 (auto-authentication flow)",
  "stand-in-classroom/session-metrics.ts":
    "document 4 (/analytics/sessions); every name and figure is assumed",
  "stand-in-classroom/space-page.ts": "document 4 (Space URL parameters)",
  "stand-in-classroom/space-router.ts":
    "document 4 (token login), 5 (item 2); the pages are this sandbox's own",
  "stand-in-classroom/space-script.ts": "document 6.9",
  "stand-in-classroom/spellings.ts":
    "document 4: its table and its other description; c and d are assumed, clients is what public programs do",
  "stand-in-classroom/turned-inputs.ts": "assumptions, the other way round",
  "stand-in-classroom/turned-replies.ts": "assumptions, the other way round",
  "stand-in-classroom/turned-webhooks.ts": "assumptions, the other way round",
  "stand-in-classroom/visits.ts": "document 2 (access), 1 (items 4, 10), 6.2, 6.3",
  "stand-in-classroom/webhook-sender.ts": "document 5 (item 3), 6.1; repetition and times are assumed",
  "stand-in-classroom/world.ts": "document 2, 3",

  "stand-in-lms/authorization-endpoint.ts": "LTI Security 1.0, 5.1.1.2 and 5.1.1.3",
  "stand-in-lms/authorization-request.ts": "LTI Security 1.0, 5.1.1.2",
  "stand-in-lms/deep-linking-pages.ts":
    "LTI Deep Linking 2.0, 4.4 and 4.5; contentitem_return.php, deep_linking_controller.rb",
  "stand-in-lms/notices.ts": "Platform Notification Service; times between attempts are this sandbox's own",
  "stand-in-lms/registration-endpoint.ts":
    "LTI Dynamic Registration 1.0, 3; openid-registration.php, measured",
  "stand-in-lms/token-endpoint.ts": "LTI Security 1.0, 4.1; token.php, measured",
  "stand-in-lms/gradebook.ts": "grade_item.php, measured; excusing is Canvas's",
  "stand-in-lms/copy-course.ts": "measured; Context.id.history as the LTI custom variables have it",
  "stand-in-lms/launches.ts":
    "measured (the hint lives with the session); authorize redirect of Canvas (five minutes, once)",

  "stand-in-lms/canvas-authorization.ts": "the authorize redirect of Canvas, as far as its source was read",
  "stand-in-lms/canvas-call.ts": "lti_services.rb; the size of pages is assumed",
  "stand-in-lms/canvas-claims.ts": "variable_expander.rb and the message classes of lib/lti/messages",
  "stand-in-lms/canvas-custom.ts": "variable_expander.rb",
  "stand-in-lms/canvas-grading.ts":
    "scores_controller.rb, abstract_assignment.rb (`save_grade_to_submission`)",
  "stand-in-lms/canvas-ids.ts": "Canvas's opaque identifiers, by their shape only",
  "stand-in-lms/canvas-line-items.ts": "line_items_controller.rb, line_item.rb",
  "stand-in-lms/canvas-manners.ts": "registration.md; the class Lti::Launch (allow)",
  "stand-in-lms/canvas-memberships.ts": "memberships_provider.rb, names_and_roles_serializer.rb",
  "stand-in-lms/canvas-people.ts": "substitutions_helper.rb",
  "stand-in-lms/canvas-placements.ts": "resource_placement.rb, token_scopes.rb",
  "stand-in-lms/canvas-registration.ts":
    "dynamic_registration_controller.rb, oidc_registration.rb, registration.md",
  "stand-in-lms/canvas-results.ts": "results_controller.rb, result.rb",
  "stand-in-lms/canvas-score.ts": "scores_controller.rb",
  "stand-in-lms/canvas-scores.ts": "scores_controller.rb, gradebook_services.rb, submission.rb",
  "stand-in-lms/canvas-services.ts": "lti_services.rb",
  "stand-in-lms/canvas-storage.ts": "LTI postMessage Storage 0.1; Canvas's forwarding frame",
  "stand-in-lms/canvas-throttle.ts": "request_throttle.rb, throttling.md",
  "stand-in-lms/canvas-tool-json.ts":
    "lti_configuration.rb, internal_lti_configuration.rb, lti_dev_key_config.md",

  "stand-in-lms/moodle-addresses.ts": "measured",
  "stand-in-lms/moodle-authorization.ts": "auth.php, measured",
  "stand-in-lms/moodle-call.ts": "services.php, measured",
  "stand-in-lms/moodle-claims.ts": "measured",
  "stand-in-lms/moodle-columns.ts": "gradebookservices.php, measured",
  "stand-in-lms/moodle-custom.ts": "measured: every variable",
  "stand-in-lms/moodle-line-items.ts": "gradebookservices.php, measured",
  "stand-in-lms/moodle-manners.ts": "measured",
  "stand-in-lms/moodle-memberships.ts": "measured",
  "stand-in-lms/moodle-outcomes.ts": "measured",
  "stand-in-lms/moodle-people.ts": "measured",
  "stand-in-lms/moodle-registration.ts": "openid-registration.php, measured",
  "stand-in-lms/moodle-results.ts": "gradebookservices.php (`result_for_json`), measured",
  "stand-in-lms/moodle-scores.ts": "gradebookservices.php, measured",
  "stand-in-lms/moodle-services.ts": "services.php, measured",

  "stand-in-lms/other-call.ts": "AGS 2.0 and NRPS 2.0 (limit, rel=next)",
  "stand-in-lms/other-claims.ts": "LTI Core 1.3, 5.3 and 5.4",
  "stand-in-lms/other-groups.ts": "LTI Course Groups 1.0",
  "stand-in-lms/other-line-items.ts": "AGS 2.0, 3.2; order and pages are assumed",
  "stand-in-lms/other-manners.ts": "LTI Security 1.0; LTI Dynamic Registration 1.0; RFC 7591, 3.2.2",
  "stand-in-lms/other-memberships.ts": "NRPS 2.0, 2; order and pages are assumed",
  "stand-in-lms/other-names.ts": "LTI Core 1.3, A.2 (roles); ids are this sandbox's own",
  "stand-in-lms/other-scores.ts": "AGS 2.0, 3.3 and 3.4",
  "stand-in-lms/other-services.ts": "AGS 2.0, NRPS 2.0, LTI Course Groups 1.0",
  "stand-in-lms/other-storage.ts": "LTI postMessage Storage 0.1",
  "stand-in-lms/quirks.ts":
    "versions and settings of the products: zeroUnreported measured on older Moodle, the others from Canvas's source",
  "stand-in-lms/review-pages.ts": "LTI Submission Review 1.0",
};

/** Files that imitate nothing. */
export const machinery: readonly string[] = [
  "call-log",
  "control-router",
  "faults",
  "host-account",
  "host-page",
  "host-router",
  "html",
  "main",
  "page",
  "run-action",
  "stalls",
  "stand-in-classroom",
  "table-head",
  "turned-ids",
  "webhook-log",
]
  .map((name) => `stand-in-classroom/${name}.ts`)
  .concat(
    [
      "admin-pages",
      "authorization-attempt",
      "course-control",
      "course-pages",
      "faults",
      "gradebook-pages",
      "html",
      "launch-pages",
      "lms-control",
      "lms-records",
      "lms-seed",
      "lms-world",
      "lms",
      "lti-names",
      "main",
      "manners",
      "navigation-pages",
      "notice-delivery",
      "page-access",
      "platform-key",
      "request-log",
      "sandbox-routes",
      "service-access",
      "service-answer",
      "sessions",
      "sign-in-pages",
      "start-stand-in-lms",
      "style",
      "teachers-time",
      "tool-control",
      "tool-keysets",
      "tools",
    ].map((name) => `stand-in-lms/${name}.ts`),
  );

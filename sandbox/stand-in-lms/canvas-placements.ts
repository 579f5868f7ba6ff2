// From: resource_placement.rb, token_scopes.rb.
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** For resource link requests. */
export const launchPlacements = words(`
  account_navigation assignment_edit assignment_group_menu assignment_index_menu assignment_menu
  assignment_selection assignment_view collaboration conference_selection course_assignments_menu
  course_home_sub_navigation course_navigation course_settings_sub_navigation discussion_topic_index_menu
  discussion_topic_menu file_index_menu file_menu global_navigation homework_submission link_selection
  migration_selection module_group_menu module_index_menu module_index_menu_modal module_menu_modal module_menu
  post_grades quiz_index_menu quiz_menu resource_selection similarity_detection student_context_card
  submission_type_selection tool_configuration user_navigation wiki_index_menu wiki_page_menu`);

/** For content selection dialogs. */
export const selectionPlacements = words(`
  assignment_selection collaboration conference_selection course_assignments_menu editor_button
  homework_submission link_selection migration_selection module_index_menu_modal module_menu_modal
  resource_selection submission_type_selection`);

export const allPlacements: readonly string[] = [...new Set([...launchPlacements, ...selectionPlacements])];

export const displayTypes = words(
  "default full_width full_width_in_context full_width_with_nav in_nav_context borderless",
);

/** Any other is refused. */
export const canvasScopes = [
  "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
  "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly",
  "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
  "https://purl.imsglobal.org/spec/lti-ags/scope/score",
  "https://canvas.instructure.com/lti-ags/progress/scope/show",
  "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
  "https://purl.imsglobal.org/spec/lti/scope/noticehandlers",
  "https://canvas.instructure.com/lti/public_jwk/scope/update",
  "https://canvas.instructure.com/lti/account_lookup/scope/show",
  "https://canvas.instructure.com/lti/feature_flags/scope/show",
  "https://canvas.instructure.com/lti/data_services/scope/create",
  "https://canvas.instructure.com/lti/data_services/scope/show",
  "https://canvas.instructure.com/lti/data_services/scope/update",
  "https://canvas.instructure.com/lti/data_services/scope/list",
  "https://canvas.instructure.com/lti/data_services/scope/destroy",
  "https://canvas.instructure.com/lti/page_content/scope/show",
] as const;

export const privacyLevels = ["anonymous", "name_only", "email_only", "public"] as const;

export function sharesAt(level: string): { names: boolean; email: boolean } {
  return {
    names: level === "public" || level === "name_only",
    email: level === "public" || level === "email_only",
  };
}

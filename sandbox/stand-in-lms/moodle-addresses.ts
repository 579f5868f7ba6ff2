// From: measured.
/** The grade ones carry a query. */
export function moodleAddresses(
  url: string,
  courseId: string,
  toolId: string,
): { memberships: string; lineItems: string; lineItem: (columnId: string) => string } {
  const services = `${url}/mod/lti/services.php`;
  return {
    memberships: `${services}/CourseSection/${courseId}/bindings/${toolId}/memberships`,
    lineItems: `${services}/${courseId}/lineitems?type_id=${toolId}`,
    lineItem: (columnId) => `${services}/${courseId}/lineitems/${columnId}/lineitem?type_id=${toolId}`,
  };
}

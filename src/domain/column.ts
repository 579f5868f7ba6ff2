/** A gradebook column of a course. */
export type Column = {
  id: string;
  registrationId: string;
  courseId: string;
  /** "attendance" for the one column of the default policy. */
  key: string;
  /** Address of the AGS line item, query included; null until known. */
  lineItemUrl: string | null;
  /** The resource link whose own column this is; null for a column that we made. */
  linkId: string | null;
};

/** A course's change of Space, kept until audit trail and sessions have it. */
export type SpaceChange = {
  /** Id of its entry in the audit trail. */
  id: string;
  /** Who did it. */
  personId: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Ids of the Spaces; `before` is null for none. */
  before: string | null;
  after: string;
};

/** Kept until audit trail and sessions have it. */
export type SpaceChange = {
  /** Of its entry in the audit trail. */
  id: string;
  /** Who did it. */
  personId: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Ids of the Spaces. */
  before: string | null;
  after: string;
};

/** A course's change of Space, kept until audit trail and sessions have it. */
export type SpaceChange = {
  /** Of its entry in the audit trail. */
  id: string;
  personId: string;
  /** Milliseconds since the epoch. */
  at: number;
  before: string | null;
  after: string;
};

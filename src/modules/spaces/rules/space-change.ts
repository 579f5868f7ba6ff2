/** That an instructor gave a course another Space, as it is kept until its trail and its sessions have learnt of it. */
export type SpaceChange = {
  /** Id of the line in the course's trail. */
  id: string;
  /** Who did it. */
  personId: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Ids of the Spaces; `before` is null for none. */
  before: string | null;
  after: string;
};

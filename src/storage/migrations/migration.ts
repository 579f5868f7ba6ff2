import type { Connection } from "mongoose";

/** One step forward of the stored records. */
export type Migration = {
  /** The version that records have afterwards; the first release wrote version 1. */
  to: number;
  /** What changes, for operators who read the log. */
  what: string;
  /**
   * Changes the stored documents, looked at as they are stored. May be killed at any moment and is then run again from
   * the beginning; another process of the release before may be writing at the same time.
   * @param renew To be called every few hundred documents: keeps the turn, and throws when another process has it now.
   */
  run: (connection: Connection, renew: () => Promise<void>) => Promise<void>;
};

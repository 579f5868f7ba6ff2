import type { Connection } from "mongoose";

/** One step forward of the stored records. */
export type Migration = {
  /** The version of the records afterwards; the first release wrote version 1. */
  to: number;
  what: string;
  /**
   * Changes stored documents. May be killed and run again; a process of the release before may be writing.
   * @param renew Called every few hundred documents: keeps the turn, and throws when another process has it now.
   */
  run: (connection: Connection, renew: () => Promise<void>) => Promise<void>;
};

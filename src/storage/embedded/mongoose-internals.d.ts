/**
 * The part of mongoose 9.12 that its typings leave out and this engine uses. It isn't public: package-lock.json pins the version, and
 * the conformance suite checks updates.
 */
declare module "mongoose/lib/drivers/node-mongodb-native/index.js" {
  import type { Connection, mongo } from "mongoose";

  /** mongoose does everything else a connection does. */
  export class NativeConnection extends Connection {
    constructor(base?: unknown);
    /** Opens the connection. Sets `client` and `db` and calls onOpen. */
    createClient(uri: string, options: unknown): Promise<this>;
    /** Marks the connection as open and lets waiting operations continue. */
    onOpen(): void;
  }

  const driver: {
    Connection: typeof NativeConnection;
    /** Forwards every method of MongoDB's Collection to what `connection.db.collection(name)` returns. */
    Collection: unknown;
    ClientEncryption: unknown;
    BulkWriteResult: new (tally: unknown, ordered: boolean) => mongo.BulkWriteResult;
  };
  export default driver;
}

/**
 * The part of mongoose 9.12 that its typings leave out and this engine builds on. Not public: package-lock.json pins
 * the version, and the conformance suite checks an update.
 */
declare module "mongoose/lib/drivers/node-mongodb-native/index.js" {
  import type { Connection, mongo } from "mongoose";

  /** What a connection does beyond opening is mongoose's. */
  export class NativeConnection extends Connection {
    constructor(base?: unknown);
    /** Opens the connection; sets `client` and `db` and calls onOpen. */
    createClient(uri: string, options: unknown): Promise<this>;
    /** Marks the connection open and lets waiting operations go. */
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

import driver from "mongoose/lib/drivers/node-mongodb-native/index.js";
import { EmbeddedClient, type EmbeddedOptions } from "./embedded-client.ts";

/**
 * A driver for `mongoose.setDriver()` (record 0007). mongoose's native connection and collection classes are kept; only
 * the client is ours, and NativeCollection forwards every call to what `connection.db.collection(name)` returns.
 */
export function createEmbeddedDriver(options: EmbeddedOptions) {
  class EmbeddedConnection extends driver.Connection {
    override createClient(): Promise<this> {
      return new Promise((resolve) => {
        const client = new EmbeddedClient(options);
        // The fields that mongoose's own createClient sets; `db` and `client` are read-only in its typings.
        Object.assign(this, { client, db: client.db(), name: "embedded", host: "localhost", port: 0 });
        this.onOpen();
        resolve(this);
      });
    }
  }
  return {
    Connection: EmbeddedConnection,
    Collection: driver.Collection,
    ClientEncryption: driver.ClientEncryption,
    BulkWriteResult: driver.BulkWriteResult,
  };
}

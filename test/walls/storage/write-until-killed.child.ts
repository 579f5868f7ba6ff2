import { Schema } from "mongoose";
import { createLogger } from "../../../src/kernel/logger.ts";
import { ensureIndexes, openDatabase } from "../../../src/storage/open-database.ts";

/**
 * Writes without end to the folder in argument 2, under ids that begin with argument 3, and prints the id of each
 * write after it was acknowledged: "+id" for an insert, "~id" for a change of that document.
 */
const [, , folder = "", prefix = ""] = process.argv;
const database = await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") });
const model = database.connection.model("Write", new Schema({ _id: String, changed: Boolean, fill: String }));
await ensureIndexes(database.connection);

async function write(caller: number): Promise<never> {
  for (let n = 0; ; n += 1) {
    const _id = `${prefix}-${String(caller)}-${String(n)}`;
    await model.create({ _id, changed: false, fill: "x".repeat(200) });
    process.stdout.write(`+${_id}\n`);
    await model.updateOne({ _id }, { $set: { changed: true } });
    process.stdout.write(`~${_id}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, (_, caller) => write(caller)));

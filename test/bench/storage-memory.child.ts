import { createLogger } from "../../src/kernel/logger.ts";
import { ensureIndexes, openDatabase } from "../../src/storage/open-database.ts";
import { type Delivery, delivery, deliverySchema } from "./storage-delivery.ts";

/** Reads the folder in argument 2 in the ways the tool does, and prints this process's resident memory in MB. */
const [, , folder = ""] = process.argv;
const database = await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") });
const model = database.connection.model<Delivery>("Delivery", deliverySchema());
await ensureIndexes(database.connection);

let read = 0;
for (let after: string | null = ""; after !== null;) {
  const page: { _id: string }[] = await model
    .find({ _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(500)
    .lean();
  read += page.length;
  after = page.at(-1)?._id ?? null;
}
for (let n = 0; n < 20_000; n += 1) await model.findOne({ key: delivery((n * 7919) % read).key }).lean();
const rss = Math.round(process.memoryUsage().rss / 1_048_576);
await database.close();
process.stdout.write(String(rss));

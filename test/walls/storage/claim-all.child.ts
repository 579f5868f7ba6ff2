import { Schema } from "mongoose";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";

/**
 * Claims the rows 0 to argument 4 - 1 in the folder of argument 2 as the owner of argument 3, each by
 * compare-and-set, sixteen at a time, in an order that meets the other process everywhere. Waits for a line on its
 * input before it begins, and prints how many it won.
 */
const [, , folder = "", owner = "", total = "0"] = process.argv;
const database = await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") });
const model = database.connection.model("Claim", new Schema({ _id: String, owner: String, wins: Number }));
await model.init();
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));

// Steps of two primes: each process meets every row once, in its own order, so that neither walks ahead of the other.
const stride = owner === "left" ? 7919 : 3571;
let next = 0;
let won = 0;
async function claim(): Promise<void> {
  while (next < Number(total)) {
    const _id = String((next * stride) % Number(total));
    next += 1;
    const found = await model
      .findOneAndUpdate({ _id, owner: null }, { $set: { owner }, $inc: { wins: 1 } })
      .lean();
    if (found !== null) won += 1;
  }
}
await Promise.all(Array.from({ length: 16 }, claim));
await database.close();
process.stdout.write(`won ${String(won)}\n`);
process.exit(0);

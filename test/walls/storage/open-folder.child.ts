/** Opens a database folder and prints whether that worked. */
import { messageOf, NamedError } from "../../../src/kernel/errors.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { silent } from "./open-engine.ts";

try {
  const database = await openDatabase({ url: `file:${process.argv[2] ?? ""}`, logger: silent });
  await database.close();
  console.log("opened");
} catch (thrown) {
  console.log(`${thrown instanceof NamedError ? thrown.code : "defect"}: ${messageOf(thrown)}`);
}

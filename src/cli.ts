import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { carryOut } from "./cli/carry-out.ts";
import { readConfig } from "./config.ts";

if (existsSync(".env")) process.loadEnvFile(".env");
process.exitCode = await carryOut(process.argv.slice(2), {
  config: () => readConfig(),
  out: (text) => {
    console.log(text);
  },
  err: (text) => {
    console.error(text);
  },
  input: () => createInterface({ input: process.stdin }),
});

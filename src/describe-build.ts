import { readFileSync } from "node:fs";
import { z } from "zod";

const packageFile = z.object({ version: z.string() });

/** The version in package.json, and Node's. */
export function describeBuild(): { version: string; node: string } {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return { version: packageFile.parse(JSON.parse(text)).version, node: process.versions.node };
}

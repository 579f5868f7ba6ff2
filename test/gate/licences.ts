import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readAdvisories } from "./advisories.ts";

const root = join(import.meta.dirname, "../..");
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});
const packageSchema = z.object({
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
  licenses: z.array(z.object({ type: z.string() })).optional(),
});

/** A package that comes with the tool, or with its development. */
export type PackageLicence = { name: string; version: string; licence: string; dev: boolean };

/**
 * Licences under which we may pass a package on with the tool: each asks for its notice to be kept and nothing of our own code.
 * CC-BY-4.0 and BlueOak are data's and documents'.
 */
export const allowedLicences = [
  "MIT",
  "MIT-0",
  "ISC",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "CC-BY-4.0",
  "Unlicense",
  "Python-2.0",
  "Zlib",
];
/** Only for what never leaves the developer's machine: changes to the package itself would have to be published. */
export const allowedInDevelopment = [...allowedLicences, "MPL-2.0"];

/** Packages with another licence that were looked at one by one, and why they may come along. */
export const agreedTo: Readonly<Record<string, { licence: string; why: string }>> = {
  "dejavu-fonts-ttf": {
    licence: "SEE LICENSE IN README.md AND LICENSE",
    why: "the font of browser tests, unchanged; Bitstream Vera's licence lets it be used and passed on, and nothing else carries it",
  },
  rasha: {
    licence: "MPL-2.0",
    why: "comes with ltijs, unchanged and with its source; the licence is about this package's own files",
  },
};

/** Every package of the lock file with its licence, by what is installed where the lock file does not say. */
export function packageLicences(): PackageLicence[] {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path !== "" && link !== true)
    .map(([path, { version = "", license, dev = false }]) => ({
      name: path.replace(/^.*node_modules\//, ""),
      version,
      licence: license ?? installedLicence(path),
      dev,
    }));
}

/** Whether a licence expression (SPDX) leaves a way that is allowed. */
export function isAllowed(licence: string, allowed: readonly string[]): boolean {
  const text = licence.replace(/^\((.*)\)$/, "$1");
  if (text.includes(" OR ")) return text.split(" OR ").some((one) => isAllowed(one, allowed));
  if (text.includes(" AND ")) return text.split(" AND ").every((one) => isAllowed(one, allowed));
  return allowed.includes(text);
}

/** Packages whose licence nobody has agreed to. */
export function unwanted(packages: readonly PackageLicence[]): PackageLicence[] {
  return packages.filter(
    ({ name, licence, dev }) =>
      agreedTo[name]?.licence !== licence &&
      !isAllowed(licence, dev ? allowedInDevelopment : allowedLicences),
  );
}

function installedLicence(path: string): string {
  try {
    const text = readFileSync(join(root, path, "package.json"), "utf8");
    const { license, licenses } = packageSchema.parse(JSON.parse(text));
    const said = typeof license === "object" ? license.type : license;
    return said ?? licenses?.map(({ type }) => type).join(" OR ") ?? "none";
  } catch {
    return "not installed here";
  }
}

/** Prints licences and advisories. @returns the exit code: 1 for a licence that nobody has agreed to, or an advisory that is high or critical. */
function main(): number {
  const packages = packageLicences();
  for (const dev of [false, true]) {
    const some = packages.filter((one) => one.dev === dev);
    console.log(`\n${dev ? "For development only" : "Comes with the tool"}: ${some.length} packages`);
    const byLicence = Map.groupBy(some, ({ licence }) => licence);
    for (const [licence, those] of [...byLicence].sort((a, b) => b[1].length - a[1].length))
      console.log(`  ${licence}: ${those.map(({ name, version }) => `${name} ${version}`).join(", ")}`);
  }
  for (const [name, { licence, why }] of Object.entries(agreedTo))
    console.log(`\n${name}, ${licence}: ${why}`);
  const problems = unwanted(packages);
  for (const { name, version, licence } of problems)
    console.log(`\nNobody has agreed to the licence of ${name} ${version}: ${licence}`);
  console.log("\nAdvisories (npm audit, what comes with the tool):");
  const options = { cwd: root, encoding: "utf8", timeout: 60_000 } as const;
  const { lines, bad } = readAdvisories(spawnSync("npm", ["audit", "--omit=dev", "--json"], options).stdout);
  for (const line of lines) console.log(`  ${line}`);
  return problems.length === 0 && !bad ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) process.exitCode = main();

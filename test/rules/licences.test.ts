import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";

/**
 * Licences under which we may pass a package on with the tool: each asks for its notice to be kept and nothing of our own code.
 * CC-BY-4.0 and BlueOak are data's and documents'.
 */
const allowed = [
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
/** Only for packages that never leave the developer's machine: changes to the package itself would have to be published. */
const allowedInDevelopment = [...allowed, "MPL-2.0"];

/** Packages with another licence that were looked at one by one. */
const agreedTo = new Map([
  // The font of browser tests, unchanged; Bitstream Vera's licence lets it be used and passed on, and nothing else carries it.
  ["dejavu-fonts-ttf", "SEE LICENSE IN README.md AND LICENSE"],
  // Comes with ltijs, unchanged and with its source; the licence is about this package's own files.
  ["rasha", "MPL-2.0"],
]);

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.object({ license: z.string().default("none"), dev: z.boolean().default(false) }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8")));
const packages = Object.entries(lock.packages)
  .filter(([path]) => path !== "")
  .map(([path, one]) => ({ name: path.replace(/^.*node_modules\//, ""), ...one }));

/** Whether a licence expression (SPDX) offers an allowed choice. */
function isAllowed(licence: string, names: readonly string[]): boolean {
  const text = licence.replace(/^\((.*)\)$/, "$1");
  if (text.includes(" OR ")) return text.split(" OR ").some((one) => isAllowed(one, names));
  if (text.includes(" AND ")) return text.split(" AND ").every((one) => isAllowed(one, names));
  return names.includes(text);
}

describe("the licence of every package", () => {
  test("allows us to pass the tool on", () => {
    expect(packages.filter(({ dev }) => !dev).length).toBeGreaterThan(100);
    const unwanted = packages.filter(
      ({ name, license, dev }) =>
        agreedTo.get(name) !== license && !isAllowed(license, dev ? allowedInDevelopment : allowed),
    );
    expect(unwanted).toEqual([]);
  });

  test.each([
    ["MIT", true],
    ["(MIT OR GPL-3.0)", true],
    ["(MIT AND CC-BY-4.0)", true],
    ["MIT AND GPL-3.0", false],
    ["GPL-3.0", false],
    ["AGPL-3.0-only", false],
    ["none", false],
    ["", false],
  ])("%s: allowed is %s", (licence, is) => expect(isAllowed(licence, allowed)).toBe(is));
});

import { describe, expect, test } from "vitest";
import { allowedLicences, isAllowed, packageLicences, unwanted } from "../gate/licences.ts";

describe("the licence of every package", () => {
  test("is one that we may pass the tool on with", () => {
    const packages = packageLicences();
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(({ dev }) => !dev).length).toBeGreaterThan(20);
    expect(unwanted(packages)).toEqual([]);
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
  ])("%s: allowed is %s", (licence, allowed) => {
    expect(isAllowed(licence, allowedLicences)).toBe(allowed);
  });
});

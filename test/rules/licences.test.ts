import { describe, expect, test } from "vitest";
import { readAdvisories } from "../gate/advisories.ts";
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

describe("advisories about packages", () => {
  const told = (vulnerabilities: object) =>
    readAdvisories(JSON.stringify({ auditReportVersion: 2, vulnerabilities }));
  const qs = (severity: string) => ({
    qs: {
      severity,
      range: "<6.9.7",
      via: [{ title: "Prototype pollution", url: "https://advisories.example/1" }],
    },
    express: { severity: "low", range: "4", via: ["qs"] },
  });

  test("are named with what they are about, and a high one ends the check with a failure", () => {
    expect(told(qs("high"))).toEqual({
      lines: ["high: qs <6.9.7: Prototype pollution https://advisories.example/1", "low: express 4: by qs"],
      bad: true,
    });
    expect(told(qs("critical")).bad).toBe(true);
    expect(told(qs("moderate")).bad).toBe(false);
    expect(told({})).toEqual({ lines: ["none"], bad: false });
  });

  test.each([
    ["nothing, since npm could not run", "", "no registry told of any;"],
    [
      "that it is offline",
      '{"message":"request to x failed, reason: connect ECONNREFUSED"}',
      "(request to x failed)",
    ],
    [
      "that the registry has none",
      '{"message":"405 Method Not Allowed - POST x","error":{}}',
      "(405 Method Not Allowed)",
    ],
  ])("that npm did not get, saying %s, are called not checked and fail nothing", (_what, said, words) => {
    const { lines, bad } = readAdvisories(said);
    expect(bad).toBe(false);
    expect(lines.join()).toMatch(/^not checked: /);
    expect(lines.join()).toContain(words);
  });
});

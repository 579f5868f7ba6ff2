import { describe, expect, test } from "vitest";
import { familyOfProduct } from "../../src/domain/lms-product.ts";
import {
  withReportedProduct,
  contradictingProduct,
} from "../../src/modules/registration/rules/registration.ts";
import type { Registration } from "../../src/domain/registration.ts";
import { configurationHostsOf, usualNewDeployments } from "../../src/lms/platform-configuration.ts";
import { registrationOf } from "../support/builders/registration.ts";

const registration = (change: Partial<Registration>): Registration =>
  registrationOf({
    issuer: "https://lms.example",
    clientId: "1",
    name: "lms.example",
    family: "other",
    createdAt: 1,
    ...change,
  });

test.each([
  ["moodle", "moodle"],
  ["canvas", "canvas"],
  ["Canvas", "canvas"],
  ["BlackboardLearn", "other"],
  ["desire2learn", "other"],
  ["sakai", "other"],
  ["", "other"],
] as const)("an LMS that calls itself %j is treated as %s", (product, family) => {
  expect(familyOfProduct(product)).toBe(family);
});

describe("A launch that names its product", () => {
  test.each([
    ["is learnt where nobody has said", {}, "canvas", { family: "canvas", product: "canvas" }],
    ["is kept by name where it has no adapter", {}, "sakai", { family: "other", product: "sakai" }],
    ["corrects a name without an adapter", { product: "x" }, "moodle", { family: "moodle" }],
    [
      "does not change what an operator said",
      { familyFrom: "operator" },
      "canvas",
      { family: "other", product: "canvas" },
    ],
    [
      "does not make another product of a known one",
      { family: "moodle" },
      "canvas",
      { family: "moodle", product: "canvas" },
    ],
  ] as const)("%s", (_what, change, product, expected) => {
    expect(withReportedProduct(registration(change), product)).toMatchObject(expected);
  });

  test.each([
    ["nothing", {}, null],
    ["the same once more", { family: "moodle", product: "moodle" }, "moodle"],
  ] as const)("leaves the registration unchanged when it is %s", (_what, change, product) => {
    const before = registration(change);
    expect(withReportedProduct(before, product)).toBe(before);
  });

  test.each([
    [{ family: "moodle", product: "canvas" }, "canvas"],
    [{ family: "canvas", product: "sakai" }, "sakai"],
    [{ family: "other", product: "canvas", familyFrom: "operator" }, "canvas"],
    [{ family: "moodle", product: "moodle" }, null],
    [{ family: "other", product: "sakai" }, null],
    [{ family: "moodle" }, null],
  ] as const)("%j contradicts with %j", (change, product) => {
    expect(contradictingProduct(registration(change))).toBe(product);
  });
});

describe("An LMS in a cloud", () => {
  test.each([
    ["https://blackboard.com", "refuse"],
    ["https://blackboard.com/", "refuse"],
    ["https://canvas.instructure.com", "accept"],
    ["https://moodle.example", "accept"],
    ["https://blackboard.com.example", "accept"],
  ])("with the issuer %s treats an unknown deployment by default so: %s", (issuer, answer) => {
    expect(usualNewDeployments(issuer)).toBe(answer);
  });

  test.each([
    ["https://blackboard.com", "https://developer.blackboard.com", true],
    ["https://canvas.beta.instructure.com", "https://sso.beta.canvaslms.com", true],
    ["https://canvas.instructure.com", "https://sso.beta.canvaslms.com", false],
    ["https://lms.example", "https://developer.blackboard.com", false],
  ])("with the issuer %s has its configuration on %s: %s", (issuer, host, speaks) => {
    expect(configurationHostsOf(issuer).includes(host)).toBe(speaks);
  });
});

import { describe, expect, test } from "vitest";
import {
  frameAncestors as ancestors,
  type LmsAddresses,
} from "../../src/modules/registration/rules/registration.ts";
import type { PlatformFamily } from "../../src/domain/lms-product.ts";
import { capabilitiesOf } from "../../src/lms/products/products.ts";

const nothing: LmsAddresses = { courseUrl: null, lineItemsUrl: null, membershipsUrl: null };
const cloud = {
  family: "canvas" as const,
  issuer: "https://canvas.instructure.com",
  authorizationUrl: "https://sso.canvaslms.com/api/lti/authorize_redirect",
};

const services = {
  ...nothing,
  membershipsUrl: "https://school.instructure.com/api/lti/courses/7/names_and_roles",
};

/** The addresses as the LMS product's adapter finds them. */
function frameAncestors(
  registration: Parameters<typeof ancestors>[1] & { family: PlatformFamily },
  addresses: LmsAddresses,
  reader: string | null,
) {
  return ancestors(capabilitiesOf(registration), registration, addresses, reader);
}

function lms(family: PlatformFamily, host: string) {
  return { family, issuer: `https://${host}/lms`, authorizationUrl: `https://${host}/lms/auth` };
}

describe("The addresses that may frame a course's pages", () => {
  test("are Moodle's own, with or without a path", () => {
    expect(frameAncestors(lms("moodle", "moodle.school.test"), nothing, null)).toEqual([
      "https://moodle.school.test",
    ]);
  });

  test("keep the port and the scheme of an LMS under development", () => {
    const local = {
      ...lms("moodle", ""),
      issuer: "http://localhost:8080",
      authorizationUrl: "http://localhost:8080/a",
    };
    expect(frameAncestors(local, nothing, null)).toEqual(["http://localhost:8080"]);
  });

  test("are the school's own domain if Canvas's cloud sent it, and its hosts at Canvas", () => {
    const addresses = { ...nothing, courseUrl: "https://learn.school.test/courses/7" };
    expect(frameAncestors(cloud, addresses, "https://learn.school.test")).toEqual([
      "https://*.instructure.com",
      "https://canvas.instructure.com",
      "https://learn.school.test",
      "https://sso.canvaslms.com",
    ]);
  });

  test("in Canvas's cloud also come from the services that a launch names", () => {
    expect(frameAncestors(cloud, services, "https://canvas.school.test")).toContain(
      "https://school.instructure.com",
    );
  });

  test("are unknown in Canvas's cloud until something names the school", () => {
    expect(frameAncestors(cloud, nothing, null)).toBeNull();
  });

  test("have no other host for a Canvas of one's own", () => {
    const own = lms("canvas", "canvas.school.test");
    const addresses = { ...nothing, courseUrl: "https://canvas.school.test/courses/7" };
    expect(frameAncestors(own, addresses, "https://canvas.school.test")).toEqual([
      "https://canvas.school.test",
    ]);
  });

  test("are another LMS's own if its course pages are there", () => {
    const addresses = { ...nothing, courseUrl: "https://lms.school.test/course/1" };
    expect(frameAncestors(lms("other", "lms.school.test"), addresses, "https://lms.school.test")).toEqual([
      "https://lms.school.test",
    ]);
  });

  test.each([
    ["its course pages are elsewhere", { ...nothing, courseUrl: "https://school.hosted.test/course/1" }],
    ["the address of its course pages is unknown", nothing],
    ["only its services are on its host", { ...nothing, lineItemsUrl: "https://hosted.test/items" }],
  ])("are unknown for another LMS when %s", (_when, addresses) => {
    expect(frameAncestors(lms("other", "hosted.test"), addresses, "https://school.hosted.test")).toBeNull();
  });

  test("never contain an address that cannot be parsed", () => {
    const odd = {
      family: "moodle" as const,
      issuer: "urn:example:lms",
      authorizationUrl: "https://lms.test/auth",
    };
    expect(frameAncestors(odd, { ...nothing, courseUrl: "javascript:alert(1)" }, null)).toEqual([
      "https://lms.test",
    ]);
  });

  test("contain the domain through which the reader came, whatever host Canvas's services use", () => {
    expect(frameAncestors(cloud, services, "https://canvas.school.test")).toContain(
      "https://canvas.school.test",
    );
    expect(frameAncestors(cloud, services, null), "nobody knows by which").toBeNull();
  });

  test("do not come from another reader's launch through another host", () => {
    const addresses = { ...nothing, courseUrl: "https://lms.school.test/course/1" };
    expect(
      frameAncestors(lms("other", "lms.school.test"), addresses, "https://alias.school.test"),
    ).toBeNull();
  });

  test.each(["https://x;sandbox/course", "https://a,b.test/", "https://$&.test/"])(
    "never contain a host that would end the directive: %s",
    (odd) => {
      expect(frameAncestors(lms("moodle", "moodle.test"), nothing, odd)).toEqual(["https://moodle.test"]);
    },
  );
});

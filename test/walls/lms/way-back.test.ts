import { describe, expect, test } from "vitest";
import type { Launch } from "../../../src/domain/launch.ts";
import type { Registration } from "../../../src/domain/registration.ts";
import { courseUrlOf } from "../../../src/lms/launch-from-claims.ts";
import { registrationOf } from "../../support/builders/registration.ts";

const at = (url: string, family: Registration["family"]): Registration =>
  registrationOf({ issuer: url, clientId: "client", family, jwksUrl: `${url}/keys`, createdAt: 1 });
const moodle = at("https://moodle.test", "moodle");
const moodleInFolder = { ...at("https://uni.test/moodle", "moodle"), issuer: "https://uni.test/moodle" };
const canvas = at("https://canvas.test", "canvas");
const cloud: Registration = {
  ...at("https://canvas.instructure.com", "canvas"),
  authorizationUrl: "https://sso.canvaslms.com/api/lti/authorize_redirect",
};
const other = at("https://lms.test", "other");

const launch = (returnUrl: string | null, change: Partial<Launch> = {}): Launch => ({
  registrationId: "reg_1",
  deploymentId: "1",
  kind: "resource-link",
  person: null,
  rights: { role: "learner", staffRole: null, testUser: false },
  student: true,
  course: { id: "2", title: "Biology", label: "BIO" },
  link: { id: "1", title: "Classroom" },
  grades: null,
  membershipsUrl: null,
  groups: null,
  notices: null,
  custom: {},
  presentation: { target: "iframe", locale: null, returnUrl, courseUrl: null },
  forUser: null,
  mentorOf: [],
  deepLinking: null,
  ...change,
});

describe("The link back to the course", () => {
  test.each([
    [
      "Moodle's course page, without the sesskey",
      moodle,
      "https://moodle.test/mod/lti/return.php?course=2&launch_container=3&instanceid=2&sesskey=okL6ZvjL5j",
      "https://moodle.test/course/view.php?id=2",
    ],
    [
      "Moodle's in a subfolder of its host",
      moodleInFolder,
      "https://uni.test/moodle/mod/lti/return.php?course=12&sesskey=a",
      "https://uni.test/moodle/course/view.php?id=12",
    ],
    [
      "Canvas's course page, without the address for its dialogs",
      canvas,
      "https://canvas.test/courses/7/external_content/success/external_tool_redirect",
      "https://canvas.test/courses/7",
    ],
    [
      "another LMS's address unchanged",
      other,
      "https://lms.test/portal/site/BIO-1#top",
      "https://lms.test/portal/site/BIO-1",
    ],
    [
      "another LMS's with ids in it",
      other,
      "https://lms.test/return?course_id=_1_1&content_id=_2_1",
      "https://lms.test/return?course_id=_1_1&content_id=_2_1",
    ],
  ])("is %s", (_what, registration, returnUrl, courseUrl) => {
    expect(courseUrlOf(registration, launch(returnUrl))).toBe(courseUrl);
  });

  test("may be on a school's own host in Canvas's cloud, if the services of the same launch name it", () => {
    const given = "https://school.instructure.com/courses/7/external_content/success/external_tool_redirect";
    const services = { membershipsUrl: "https://school.instructure.com/api/lti/courses/7/names_and_roles" };
    expect(courseUrlOf(cloud, launch(given, services))).toBe("https://school.instructure.com/courses/7");
    expect(courseUrlOf(cloud, launch(given))).toBeNull();
  });

  test.each([
    ["no address", moodle, null],
    ["an invalid address", moodle, "not an address"],
    ["a script", moodle, "javascript:alert(1)"],
    ["a file", moodle, "file:///etc/passwd"],
    ["another host", moodle, "https://evil.test/mod/lti/return.php?course=2"],
    ["the same host without https", moodle, "http://moodle.test/mod/lti/return.php?course=2"],
    ["another port", moodle, "https://moodle.test:8443/mod/lti/return.php?course=2"],
    ["a name and password", moodle, "https://moodle.test@evil.test/mod/lti/return.php?course=2"],
    ["a password for the LMS", moodle, "https://a:b@moodle.test/course"],
    [
      "Moodle's address with a course that is not a number",
      moodle,
      "https://moodle.test/mod/lti/return.php?course=2%26x&sesskey=a",
    ],
    ["a personal key in another LMS's address", other, "https://lms.test/return?course_id=1&sesskey=abc"],
    ["a token in an id", other, `https://lms.test/return?id=${"x".repeat(65)}`],
    ["a session in the path", other, "https://lms.test/return;jsessionid=ABC"],
    [
      "a personal page",
      canvas,
      "https://canvas.test/users/178/external_content/success/external_tool_redirect",
    ],
    ["an endless address", other, `https://lms.test/${"x".repeat(1_100)}`],
  ])("is unknown with %s", (_what, registration, returnUrl) => {
    expect(courseUrlOf(registration, launch(returnUrl))).toBeNull();
  });

  test("is unknown for a launch outside a course", () => {
    expect(courseUrlOf(other, launch("https://lms.test/home", { course: null }))).toBeNull();
  });
});

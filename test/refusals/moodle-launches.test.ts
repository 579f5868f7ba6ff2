import { describe, expect, test } from "vitest";
import type { Registration } from "../../src/domain/registration.ts";
import { moodleClaims, type MoodleMessage, moodleRoles } from "../support/stand-ins/moodle-messages.ts";
import {
  postLaunch,
  signedLaunch,
  startLogin,
  type TinyTool,
  launchesIntoTool,
} from "../support/stand-ins/signed-launch.ts";

let tool: TinyTool;
let registration: Registration;

const { platform } = await launchesIntoTool(
  (made) => {
    ({ tool, registration } = made);
  },
  { family: "moodle" },
);

/** Opens a link as Moodle does: a posted login with its hints, then a token that is valid for sixty seconds. */
async function launch(message: Omit<MoodleMessage, "target">, query = ""): Promise<Response> {
  const target = `${tool.url}/lti/launch${query}`;
  const login = await startLogin(tool, registration, {
    target_link_uri: target,
    login_hint: message.sub,
    lti_message_hint: JSON.stringify({ cmid: 3, launchid: "ltilaunch2_1292598662" }),
    lti_deployment_id: "1",
  });
  const claims = moodleClaims(platform.issuer, { ...message, target });
  const token = await signedLaunch(tool, platform, registration, login, { claims });
  return postLaunch(tool, login, token);
}

const quiz = { id: "2", title: "Coupled quiz", description: "Intro TEXT of the quiz" };
const plain = { id: "1", title: "Plain link", description: "" };
type Who = Pick<MoodleMessage, "sub" | "roles" | "name" | "userName" | "groups">;
const [instructor, learner] = [moodleRoles.instructor, moodleRoles.learner];
const who = (sub: string, roles: Who["roles"], name: Who["name"], userName: string, groups: string): Who => ({
  sub,
  roles,
  name,
  userName,
  groups,
});
const teacher = who("3", instructor, ["Tessa", "Teacher"], "teacher1", "1");
const student = who("7", learner, ["Zoë", "Student1"], "student1", "1,2");
const third = who("9", learner, ["Nguyễn", "Student3"], "student3", "3");
const admin = who("2", moodleRoles.siteAdmin, ["Admin", "User"], "admin", "");

describe("messages of a live Moodle 4.5", () => {
  test("a teacher opens a graded link: rights, course, column and roster arrive", async () => {
    const response = await launch(
      { ...teacher, link: quiz, column: "2", custom: { quiz_id: "q1" } },
      "?quiz=1",
    );
    expect(response.status).toBe(200);
    const services = `${platform.issuer}/mod/lti/services.php`;
    expect(tool.launches[0]).toMatchObject({
      kind: "resource-link",
      deploymentId: "1",
      person: { sub: "3", name: "Tessa Teacher", givenName: "Tessa", email: "teacher1@example.test" },
      rights: { role: "instructor" },
      course: { id: "2", title: "Biology 101 – Spring", label: "BIO101" },
      link: { id: "2", title: "Coupled quiz" },
      grades: {
        lineItemsUrl: `${services}/2/lineitems?type_id=1`,
        lineItemUrl: `${services}/2/lineitems/2/lineitem?type_id=1`,
      },
      membershipsUrl: `${services}/CourseSection/2/bindings/1/memberships`,
      presentation: { target: "iframe", locale: "en" },
      deepLinking: null,
      forUser: null,
    });
    const { custom } = tool.launches[0] ?? { custom: {} };
    expect(custom).toMatchObject({ quiz_id: "q1", MixedCase: "Keep=Equals;semi", v_context_id_history: "" });
    expect(Object.values(custom).filter((value) => String(value).startsWith("$"))).toEqual([]);
  });

  test("a link without grades has a grade service and no column; nulls in custom count as not sent", async () => {
    await launch({ ...student, link: plain, column: null });
    expect(tool.launches[0]?.grades).toMatchObject({ lineItemUrl: null });
    expect(tool.launches[0]?.grades?.lineItemsUrl).toContain("/2/lineitems");
    expect(tool.launches[0]?.custom).not.toHaveProperty("v_result_sourcedid");
  });

  test.each([
    [
      "a non-editing teacher",
      { sub: "4", name: ["Ana", "Assistant"], userName: "assistant1", roles: moodleRoles.instructor },
    ],
    [
      "a course manager",
      { sub: "6", name: ["Carl", "Manager"], userName: "manager1", roles: moodleRoles.instructor },
    ],
    [
      "a site administrator",
      { sub: "2", name: ["Admin", "User"], userName: "admin", roles: moodleRoles.siteAdmin },
    ],
  ] as const)("%s comes in as an instructor", async (_name, person) => {
    await launch({ ...person, groups: "", link: plain, column: null });
    expect(tool.launches[0]?.rights).toMatchObject({ role: "instructor", testUser: false });
  });

  test("a link without an address leads to the tool's", async () => {
    await launch({ ...third, link: { id: "8", title: "No url", description: "" }, column: "12" });
    expect(tool.launches[0]).toMatchObject({ link: { id: "8" }, person: { name: "Nguyễn Student3" } });
    expect(tool.launches[0]?.grades?.lineItemUrl).toContain("/lineitems/12/lineitem?type_id=1");
  });

  test("a copied course is another course and names its origin", async () => {
    const course = { id: "3", label: "BIO101_1", title: "Biology 101 – Spring copy 1", history: "2" };
    await launch(
      { ...admin, course, link: { ...quiz, id: "11" }, column: "14", custom: { quiz_id: "q1" } },
      "?quiz=1",
    );
    expect(tool.launches[0]).toMatchObject({
      course: { id: "3" },
      link: { id: "11" },
      custom: { v_context_id_history: "2", quiz_id: "q1" },
    });
  });

  test("a deep linking dialog says what it accepts and where to return", async () => {
    await launch({ ...teacher, kind: "LtiDeepLinkingRequest", link: null, column: null });
    expect(tool.launches[0]).toMatchObject({
      kind: "deep-linking",
      link: null,
      course: { id: "2" },
      presentation: { target: "unknown", locale: "en", returnUrl: null },
      deepLinking: {
        returnUrl: `${platform.issuer}/mod/lti/contentitem_return.php?course=2&id=1&sesskey=mQiF`,
        acceptTypes: ["ltiResourceLink"],
        acceptTargets: ["frame", "iframe", "window"],
        acceptMultiple: true,
        acceptLineItem: null,
        title: "Spaces",
        text: null,
        data: null,
      },
    });
    expect(tool.launches[0]?.membershipsUrl).not.toBeNull();
  });

  test("a submission review names the person whose attendance is to be shown", async () => {
    await launch(
      { ...teacher, kind: "LtiSubmissionReviewRequest", link: quiz, column: "2", forUser: "7" },
      "?review=1",
    );
    expect(tool.launches[0]).toMatchObject({
      kind: "submission-review",
      forUser: "7",
      person: { sub: "3" },
      rights: { role: "instructor" },
      link: { id: "2" },
    });
  });
});

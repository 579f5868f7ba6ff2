import { connect } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { hiddenField } from "../support/browser/dialog.ts";
import { launchClaimsOf, learnerRole, post } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const world = await forAllTests(startTinyWorld());

/** Everything that can be pressed on a page opened in a course. */
const paths = ["/enter", "/course/home", "/course/grades/sync", "/course/link", "/course/copied"].concat([
  "/course/people",
  "/course/people/read",
  "/course/people/names",
  "/course/people/progress",
  "/course/grades",
  "/course/grades.csv",
  "/course/grades.xlsx",
  "/course/grades/sync",
  "/course/grades/again",
  "/course/grades/answer",
  "/course/grades/resend",
  "/course/grades/progress",
]);

async function press(path: string, session: string): Promise<{ status: number; text: string }> {
  const response = await post(`${world.toolUrl}${path}`, { session, what: "course", answer: "decline" });
  return { status: response.status, text: textOf({ text: await response.text() }) };
}

/** Opens "select content" and returns the dialog's token. */
async function openPicker(claims: Record<string, unknown>): Promise<string> {
  const page = await world.launch({
    claims: {
      ...claims,
      message_type: "LtiDeepLinkingRequest",
      ["https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"]: {
        deep_link_return_url: `${world.platform.issuer}/return`,
        accept_types: ["ltiResourceLink"],
        accept_presentation_document_targets: ["iframe"],
      },
    },
  });
  return hiddenField(page, "dialog");
}

const pick = (dialog: string) =>
  post(`${world.toolUrl}/choose`, { dialog, what: "course", act: "choose", points: "100" });

test("The rest of an invalid page request's body is not read after the answer", async () => {
  const socket = connect(Number(new URL(world.toolUrl).port), "127.0.0.1");
  socket.on("error", () => undefined);
  let heard = "";
  socket.setEncoding("utf8").on("data", (text: string) => (heard += text));
  const all = 60_000_000;
  socket.write(`POST /nowhere HTTP/1.1\r\nHost: tool\r\nContent-Length: ${all}\r\n\r\n`);
  const piece = Buffer.alloc(100_000);
  let sent = 0;
  const sendOn = () => {
    while (sent < all && !socket.destroyed) {
      sent += piece.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.on("drain", sendOn);
  sendOn();
  await new Promise((resolve) => socket.once("close", resolve));
  expect(heard).toMatch(/^HTTP\/1\.1 404 /);
  // What is in transit is in buffers of the system.
  expect(sent).toBeLessThan(all / 2);
});

describe("A form that another site's page sends with its author's session", () => {
  const foreign: Record<string, string>[] = [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "https://other.example.test" },
    { "sec-fetch-site": "cross-site", origin: "null" },
    { origin: "https://evil.example.test" },
    { origin: "null" },
  ];
  /** Includes a page that does not exist: the refusal comes before all of them. */
  const all = [...paths, "/choose", "/door", "/course/settings/save", "/course/new-page"].concat([
    "/ended/feedback",
    "/waiting",
    "/waiting/state",
    "/waiting/events",
    "/waiting/again",
  ]);

  test("is refused with an explanation before anything happens", async () => {
    const link = await world.launch({ claims: claimsOf({ sub: "author", course: "foreign" }) });
    const session = hiddenField(link, "session");
    const course = await world.courseOf("foreign");
    for (const headers of foreign) {
      for (const path of [...all, "/course/link"]) {
        const answer = await fetch(`${world.toolUrl}${path}`, {
          method: "POST",
          redirect: "manual",
          headers: { ...headers, accept: "text/html" },
          body: new URLSearchParams({ session, what: "space", space: "another", answer: "decline" }),
        });
        expect([headers, path, answer.status]).toEqual([headers, path, 403]);
        expect(await answer.text()).toContain("This form came from elsewhere, so nothing was changed");
      }
    }
    const { settings, settingsRevision, policyRevision, copyAnswer, setUp } = course;
    const unchanged = { settings, settingsRevision, policyRevision, copyAnswer, setUp };
    expect(await world.courseOf("foreign")).toMatchObject(unchanged);
  });

  test("is accepted from our own pages, and from browsers that do not name the origin", async () => {
    const session = hiddenField(await world.launch({ claims: claimsOf({ sub: "author" }) }), "session");
    const own: Record<string, string>[] = [
      { "sec-fetch-site": "same-origin", origin: "null" },
      { "sec-fetch-site": "none" },
      { origin: world.toolUrl },
      { "sec-fetch-site": "cross-site", origin: world.toolUrl },
      {},
    ];
    for (const headers of own) {
      const answer = await fetch(`${world.toolUrl}/course/people`, {
        method: "POST",
        headers,
        body: new URLSearchParams({ session }),
      });
      expect([headers, answer.status]).toEqual([headers, 200]);
    }
  });

  test("does not prevent what an LMS or the classroom sends from its own pages", async () => {
    const ended = ["/ended", "/ended/staging", "/ended/north/"];
    for (const path of ["/lti/login", "/lti/launch", "/webhooks/production", "/lti/notices", ...ended]) {
      const answer = await fetch(`${world.toolUrl}${path}`, {
        method: "POST",
        redirect: "manual",
        headers: { "sec-fetch-site": "cross-site", origin: "https://lms.example.test" },
        body: new URLSearchParams({}),
      });
      expect([path, answer.status === 403]).toEqual([path, false]);
    }
  });
});

test("a launch that an app posts without a login lets nobody in, leads to the course, and is counted", async () => {
  const course = `${world.platform.issuer}/course/view.php?id=2`;
  const claims = launchClaimsOf(world.toolUrl, world.registration, "");
  const token = await world.sign({ ...claims, launch_presentation: { return_url: course } });
  const answer = await fetch(`${world.toolUrl}/lti/launch`, {
    method: "POST",
    headers: { accept: "text/html", origin: "null" },
    body: new URLSearchParams({ id_token: token }),
  });
  expect(answer.status).toBe(400);
  const page = await answer.text();
  expect(page).toContain("Open the course in your browser instead.");
  expect(page).toContain(`href="${course}"`);
  await vi.waitFor(async () => {
    const counted = (await world.stores.refusedLaunches.list()).filter(
      ({ code }) => code === "launch-without-login",
    );
    expect(counted).toMatchObject([{ registrationId: world.registration.id, count: 1 }]);
  }, 10_000);
});

test("a failed launch is counted by its cause, but not an address opened by hand", async () => {
  const { issuer } = world.platform;
  const claims = launchClaimsOf(world.toolUrl, world.registration, "");
  const state = "A".repeat(200);
  const forms = [
    { id_token: "no token", state },
    { id_token: await world.sign({ ...claims, aud: "another" }), state },
    { id_token: await world.sign({ ...claims, iss: "https://lms.unknown.example" }), state },
    { id_token: await world.sign(claims), state },
  ];
  for (const path of ["login", "launch"]) await fetch(`${world.toolUrl}/lti/${path}`);
  for (const form of [{}, { state }, ...forms]) await post(`${world.toolUrl}/lti/launch`, form);
  await fetch(`${world.toolUrl}/lti/launch`, { method: "POST", body: "{}" });
  const unregistered = { registrationId: "", issuer: "", clientId: "" };
  await vi.waitFor(async () => {
    const counted = (await world.stores.refusedLaunches.list()).filter(
      ({ code }) => code !== "launch-without-login",
    );
    expect(counted).toHaveLength(forms.length);
    for (const one of [
      { ...unregistered, code: "token-malformed" },
      { ...unregistered, code: "platform-unknown", issuer, clientId: "another" },
      {
        ...unregistered,
        code: "platform-unknown",
        issuer: "https://lms.unknown.example",
        clientId: "client-1",
      },
      { ...unregistered, code: "login-unknown", registrationId: world.registration.id },
    ])
      expect(counted).toContainEqual(expect.objectContaining({ ...one, count: 1 }));
  }, 10_000);
});

test.each([...paths, "/choose"])(
  "nothing happens at %s without a session, and the page says why",
  async (path) => {
    for (const body of ["", "session[x]=1", "session=a&session=b", "session=eyJhbGciOiJub25lIn0.e30."]) {
      const response = await fetch(`${world.toolUrl}${path}`, {
        method: "POST",
        body: new URLSearchParams(body),
      });
      expect([body, response.status]).toEqual([body, 401]);
    }
  },
);

describe("A page that was opened before", () => {
  test("leads nowhere once the roster has removed its instructor from the course, until the next launch", async () => {
    const claims = claimsOf({ sub: "removed", name: "Rem Oved", course: "77" });
    const session = hiddenField(await world.launch({ claims }), "session");
    const { registrationId, id: courseId } = await world.courseOf("77");
    const [member] = await world.stores.members.listAfter({ registrationId, courseId }, "", 5);
    await world.stores.members.applyRoster({ registrationId, courseId }, Date.now() + 1_000, {
      made: [],
      changed: [{ personId: member?.personId ?? "", id: "", to: { active: false } }],
    });
    for (const path of [...paths, "/door", "/course/settings", "/course/feedback"]) {
      const answer = await press(path, session);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.text).toContain("You’re no longer in this course, says your LMS.");
    }
    // Back in the course: the earlier page stays invalid.
    const next = hiddenField(await world.launch({ claims }), "session");
    expect((await press("/course/people", next)).status).toBe(200);
    expect((await press("/course/people", session)).status).toBe(401);
  });

  test("leads nowhere once its LMS is switched off, even when it is on again", async () => {
    const registration = await world.register({ clientId: "client-off" });
    const session = hiddenField(await world.launch({ registration }), "session");
    const logins = async () => {
      const [course] = await world.stores.courses.findByContexts(registration.id, ["2"]);
      return world.classroom.authorizations().filter(({ spaceId }) => spaceId === course?.spaceId);
    };
    // The launch keeps a queue position, which brings its login in the background.
    await vi.waitFor(async () => expect(await logins()).toHaveLength(1), { timeout: 30_000 });
    await world.stores.registrations.set(registration.id, { active: false });
    for (const path of paths) {
      const answer = await press(path, session);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.text).toContain("switched off");
    }
    expect(await logins()).toHaveLength(1);
    await world.stores.registrations.set(registration.id, { active: true });
    expect((await press("/enter", session)).status).toBe(401);
    const next = hiddenField(await world.launch({ registration }), "session");
    expect((await press("/enter", next)).status).toBe(303);
  });

  test("leads nowhere once its deployment is refused", async () => {
    const claims = { ...claimsOf({ sub: "elsewhere" }), deployment_id: "refused-later" };
    const session = hiddenField(await world.launch({ claims }), "session");
    const dialog = await openPicker(claims);
    await world.stores.deployments.setStatus(world.registration.id, "refused-later", "refused", 1);
    for (const path of paths) expect([path, (await press(path, session)).status]).toEqual([path, 403]);
    expect((await pick(dialog)).status).toBe(403);
  });

  test("of an instructor cannot choose links once they are a learner", async () => {
    const dialog = await openPicker(claimsOf({ sub: "demoted" }));
    expect((await pick(dialog)).status).toBe(200);
    await world.launch({ claims: claimsOf({ sub: "demoted", roles: [learnerRole] }) });
    const answer = await pick(dialog);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain('name="JWT"');
  });
});

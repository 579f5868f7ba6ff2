import { expect, test } from "vitest";
import { claimsOf, startTinyWorld } from "../support/tool/tiny-world.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const world = await forAllTests(startTinyWorld());

/** Where a stranger's login leads, with the cookie it leaves. */
async function login(
  target = `${world.toolUrl}/lti/launch`,
): Promise<{ asked: URLSearchParams; cookie: string }> {
  const query = new URLSearchParams({
    iss: world.registration.issuer,
    client_id: world.registration.clientId,
    login_hint: "anybody",
    target_link_uri: target,
  });
  const response = await fetch(`${world.toolUrl}/lti/login?${query.toString()}`, { redirect: "manual" });
  expect(response.status).toBe(302);
  await response.text();
  const cookie = response.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { asked: new URL(response.headers.get("location") ?? "").searchParams, cookie: cookie.join("; ") };
}

test("four hundred logins of strangers leave nothing in the store, and a learner behind the same address gets in", async () => {
  await world.launch();
  const before = await world.countDocuments();
  const padded = `${world.toolUrl}/lti/launch?${"x".repeat(2_000)}`;
  let left = 400;
  const stranger = async () => {
    while ((left -= 1) >= 0) await login(padded);
  };
  await Promise.all(Array.from({ length: 20 }, stranger));
  // The tool itself stores only a few records meanwhile (jobs, alarms).
  expect((await world.countDocuments()) - before).toBeLessThan(50);
  const page = await world.launch({ claims: claimsOf({ sub: "late-learner", roles: [learnerRole] }) });
  expect(page.status).toBe(200);
});

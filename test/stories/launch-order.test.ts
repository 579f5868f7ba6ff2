import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { launchClaimsOf, learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, type TinyWorld } from "../support/tool/tiny-world.ts";

const learners = 150;

let world: TinyWorld;
beforeAll(async () => {
  world = await startTinyWorld();
});
afterAll(() => world.close());

/** A learner's login, and the token the LMS answers it with. */
async function readyToLaunch(n: number) {
  const { issuer, clientId } = world.registration;
  const target = `${world.toolUrl}/lti/launch`;
  const query = new URLSearchParams({
    iss: issuer,
    client_id: clientId,
    login_hint: "x",
    target_link_uri: target,
  });
  const response = await fetch(`${world.toolUrl}/lti/login?${query.toString()}`, { redirect: "manual" });
  const asked = new URL(response.headers.get("location") ?? "").searchParams;
  const who = claimsOf({ sub: `learner-${n}`, name: `Learner ${n}`, roles: [learnerRole] });
  const claims = launchClaimsOf(world.toolUrl, world.registration, asked.get("nonce") ?? "");
  return {
    name: nameOf(n),
    cookie: response.headers.getSetCookie().map((line) => line.split(";")[0]),
    form: { id_token: await world.sign({ ...claims, ...who }), state: asked.get("state") ?? "" },
  };
}

const nameOf = (n: number) => `learner-number-${String(n).padStart(4, "0")}`;

const answered = z.object({
  request: z.string().regex(/^learner-number-/),
  time: z.union([z.string(), z.number()]).transform((time) => new Date(time).getTime()),
  ms: z.number(),
});

/** When each launch reached the tool and when it was answered, as the tool's own log says (ms). */
function launchesInLog(): { name: string; began: number; ended: number }[] {
  const lines = world.output().split("\n");
  return lines.flatMap((line) => {
    const parsed = line.startsWith("{") ? answered.safeParse(JSON.parse(line)) : null;
    if (parsed?.success !== true) return [];
    const { request, time, ms } = parsed.data;
    return [{ name: request, began: time - ms, ended: time }];
  });
}

test("a class that comes at once is answered in the order in which it came", async () => {
  await world.launch();
  const all = await Promise.all(Array.from({ length: learners }, (_none, n) => readyToLaunch(n)));
  const statuses = await Promise.all(
    all.map(async ({ name, cookie, form }) => {
      const response = await fetch(`${world.toolUrl}/lti/launch`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie: cookie.join("; "), "x-request-id": name, "sec-fetch-dest": "iframe" },
        body: new URLSearchParams(form),
      });
      await response.text();
      return response.status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([303]));
  await vi.waitFor(() => {
    expect(launchesInLog()).toHaveLength(learners);
  }, 30_000);
  const inOrder = launchesInLog().sort((one, other) => one.began - other.began);
  let pairs = 0;
  let overtaken = 0;
  for (const [at, one] of inOrder.entries()) {
    // Of two that came within a moment the log does not know the first.
    const later = inOrder.slice(at + 1).filter(({ began }) => began > one.began + 5);
    pairs += later.length;
    overtaken += later.filter(({ ended }) => ended < one.ended).length;
  }
  expect(pairs).toBeGreaterThan(1_000);
  expect(overtaken / pairs).toBeLessThan(0.05);
});

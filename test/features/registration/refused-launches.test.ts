import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createRefusedNotes, noteRefusedLaunch } from "../../../src/modules/registration/lms-trouble.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import {
  closeGradebooks,
  type GradebookCourse,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";
import { patience } from "../../support/patience.ts";

let course: GradebookCourse;
let now = 1_000;
beforeAll(async () => {
  course = await openGradebookCourse("moodle");
});
afterAll(async () => {
  await course.end();
  await closeGradebooks();
});

const nobody = { registrationId: null, issuer: null, clientId: null };
const note = (code: string, lms: { issuer: string; clientId?: string | null }, reference = "req") =>
  noteRefusedLaunch(
    {
      ...course.stores,
      clock: { now: () => now, sleep: () => Promise.resolve() },
      logger: createLogger("silent"),
    },
    { code, lms: { ...nobody, ...lms }, references: [reference], count: 1 },
  );
const listed = async () => (await course.stores.refusedLaunches.list()).map(({ firstAt: _, ...one }) => one);

test("refused launches are counted for each LMS and reason, newest first, by registration if there is one", async () => {
  const known = await course.stores.registrations.find("reg_1");
  const issuer = known?.issuer ?? "";
  const clientId = known?.clientId ?? "";
  await note("launch-expired", { issuer, clientId }, "req-1");
  now += 1;
  await note("launch-expired", { issuer, clientId: null }, "req-2");
  now += 1;
  await note("platform-unknown", { issuer: "https://nobody.example", clientId: "x".repeat(600) }, "req-3");
  expect(await listed()).toEqual([
    {
      registrationId: "",
      issuer: "https://nobody.example",
      clientId: "x".repeat(255),
      code: "platform-unknown",
      count: 1,
      lastAt: 1_002,
      reference: "req-3",
    },
    {
      registrationId: "reg_1",
      issuer: "",
      clientId: "",
      code: "launch-expired",
      count: 2,
      lastAt: 1_001,
      reference: "req-2",
    },
  ]);
});

test("launches of ever new LMSs do not fill the database or hide a registered one", async () => {
  for (let n = 0; n < 310; n += 1) await note("platform-unknown", { issuer: `https://${String(n)}.example` });
  now += 1;
  await note("target-foreign", { issuer: "https://moodle.example", clientId: "nobody" });
  const known = await course.stores.registrations.find("reg_1");
  await note("token-expired", { issuer: known?.issuer ?? "", clientId: known?.clientId ?? "" });
  const all = await course.stores.refusedLaunches.list();
  expect(all.length).toBeLessThan(310);
  expect(all.filter(({ code }) => code === "target-foreign")).toMatchObject([{ issuer: "", clientId: "" }]);
  expect(all.filter(({ code }) => code === "token-expired")).toMatchObject([{ registrationId: "reg_1" }]);
  expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(315);
  // A stranger can cause the two that expired before their token was checked, and the LMS's hours raise an alarm.
  const hours = await course.stores.refusedLaunches.listHours(0, now);
  expect(hours.find(({ registrationId }) => registrationId === "reg_1")).toMatchObject({ count: 1 });
});

test("refused launches within a second are all counted, in a few writes", async () => {
  const known = await course.stores.registrations.find("reg_1");
  let writes = 0;
  const refusedLaunches = {
    ...course.stores.refusedLaunches,
    add: (...given: Parameters<typeof course.stores.refusedLaunches.add>) => {
      writes += 1;
      return course.stores.refusedLaunches.add(...given);
    },
  };
  let goOn = (): void => undefined;
  const clock = { now: () => now, sleep: () => new Promise<void>((resolve) => (goOn = resolve)) };
  const { note: noted, flush } = createRefusedNotes({
    ...course.stores,
    refusedLaunches,
    clock,
    logger: createLogger("silent"),
  });
  const lms = { registrationId: known?.id ?? "", issuer: null, clientId: null };
  const counted = async () =>
    (await listed()).filter(({ code }) => code === "nonce-used").map(({ count }) => count);
  for (let n = 0; n < 1_000; n += 1) noted({ code: "nonce-used", lms, reference: `req-${n}` });
  await vi.waitFor(() => expect(writes).toBe(1));
  for (let n = 0; n < 1_000; n += 1)
    noted({
      code: "platform-unknown",
      lms: { ...nobody, issuer: `https://new-${n}.example` },
      reference: null,
    });
  await vi.waitFor(async () => expect(await counted()).toEqual([1]));
  expect(writes).toBe(1);
  await vi.waitFor(async () => {
    goOn();
    expect(await counted()).toEqual([1_000]);
    expect(writes).toBeGreaterThan(200);
  }, patience);
  expect(writes).toBeLessThan(310);
  noted({ code: "nonce-used", lms, reference: null });
  await flush();
  expect(await counted()).toEqual([1_001]);
});

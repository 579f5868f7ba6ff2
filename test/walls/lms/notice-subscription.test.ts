import { afterEach, beforeEach, expect, test } from "vitest";
import type { Launch } from "../../../src/domain/launch.ts";
import { subscribeToNotices } from "../../../src/modules/courses/notices.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createNoticeHandlers } from "../../../src/lms/notices.ts";
import { createRequester } from "../../../src/lms/requester.ts";
import { createServiceCalls } from "../../../src/lms/service-calls.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { type ServiceLms, startServiceLms } from "../../support/stand-ins/service-lms.ts";

const scope = "https://purl.imsglobal.org/spec/lti/scope/noticehandlers";
const minute = 60_000;

let lms: ServiceLms;
let closeStore: () => Promise<void>;
let launched: (change?: Partial<Launch["notices"]>, publicUrl?: string) => Promise<void>;

beforeEach(async () => {
  lms = await startServiceLms();
  const logger = createLogger("silent");
  const { stores, close } = await openEmptyStores();
  const clock = { now: () => lms.state.now, sleep: () => Promise.resolve() };
  const request = createRequester(fetch, { timeoutMs: 300, maxBytes: 10_000 });
  const { accessTokens, pauses } = lms;
  const calls = createServiceCalls({ request, accessTokens, pauses, clock });
  const noticeHandlers = createNoticeHandlers({ calls, clock });
  const { noticeSubscriptions } = stores;
  launched = (change, publicUrl = "https://tool.test") =>
    subscribeToNotices(
      { noticeHandlers, noticeSubscriptions, publicUrl, clock, ids: randomIds, logger },
      lms.registration,
      launchOffering(change),
    );
  closeStore = close;
});
afterEach(async () => {
  await closeStore();
  await lms.close();
});

function launchOffering(change: Partial<Launch["notices"]> = {}): Launch {
  return {
    registrationId: lms.registration.id,
    deploymentId: "1",
    kind: "resource-link",
    person: null,
    rights: { role: "learner", staffRole: null, testUser: false },
    student: true,
    course: null,
    link: null,
    grades: null,
    membershipsUrl: null,
    groups: null,
    mentorOf: [],
    notices: {
      url: `${lms.url}/notice-handlers/1`,
      types: ["LtiHelloWorldNotice", "LtiContextCopyNotice"],
      scopes: [scope],
      ...change,
    },
    custom: {},
    presentation: { target: "iframe", locale: null, returnUrl: null, courseUrl: null },
    forUser: null,
    deepLinking: null,
  };
}

test("the LMS is called once, with a token for that right only", async () => {
  for (let i = 0; i < 3; i += 1) await launched();
  expect(lms.seen).toHaveLength(1);
  expect(lms.seen[0]).toMatchObject({
    method: "PUT",
    url: "/notice-handlers/1",
    contentType: "application/json",
    body: '{"notice_type":"LtiContextCopyNotice","handler":"https://tool.test/lti/notices"}',
  });
  expect(lms.assertions.map(({ scope: asked }) => asked)).toEqual([scope]);
});

test("twenty launches at the same moment cause one call", async () => {
  await Promise.all(Array.from({ length: 20 }, () => launched()));
  expect(lms.seen).toHaveLength(1);
});

test("our new address is sent", async () => {
  await launched();
  await launched({}, "https://moved.test");
  await launched({}, "https://moved.test");
  expect(lms.seen.map(({ body }) => body)).toEqual([
    expect.stringContaining("tool.test"),
    expect.stringContaining("moved.test"),
  ]);
});

test("an LMS that refuses is called again by a later launch, less often each time", async () => {
  lms.state.answer = () => ({ status: 500 });
  await launched();
  await launched();
  expect(lms.seen).toHaveLength(1);
  lms.state.now += minute;
  await launched();
  lms.state.now += minute;
  await launched();
  expect(lms.seen, "the second pause is longer than the first").toHaveLength(2);
  lms.state.answer = () => ({});
  lms.state.now += minute;
  await launched();
  await launched();
  expect(lms.seen).toHaveLength(3);
});

test("an LMS that does not answer delays nobody: the failure is stored, not thrown", async () => {
  lms.state.answer = () => "hang";
  await expect(launched()).resolves.toBeUndefined();
});

test.each([
  ["offers no notices of that type", { types: ["LtiHelloWorldNotice"] }],
  ["did not grant the right", { scopes: [] }],
])("an LMS that %s is not called", async (_what, change) => {
  await launched(change);
  expect(lms.seen).toEqual([]);
  expect(lms.assertions).toEqual([]);
});

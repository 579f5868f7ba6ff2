import { beforeEach, describe, expect, test } from "vitest";
import { randomIds } from "../../../src/kernel/ids.ts";
import {
  decideDeployment,
  endSessionsOfCourse,
  endSessionsOfLms,
  endSessionsOfPerson,
  type OperatingApp,
  switchRegistration,
} from "../../../src/modules/operations/change-registration.ts";
import { launchedCourse, newCourse } from "../../support/builders/launched-course.ts";
import { openEmptyStores, type OpenedStores } from "../../support/builders/open-empty-stores.ts";
import { recordPerson } from "../../support/builders/give-api-user.ts";
import { registrationOf } from "../../support/builders/registration.ts";

const now = 1_000_000;
let opened: OpenedStores;
let deps: OperatingApp;

const noKeys = () => Promise.reject(new Error("no key is made here"));

beforeEach(async () => {
  opened = await openEmptyStores(opened);
  const { stores } = opened;
  deps = {
    ...stores,
    accounts: { ids: () => [], list: () => [], find: () => undefined, refresh: noKeys, lookUp: noKeys },
    clock: { now: () => now, sleep: () => Promise.resolve() },
    ids: randomIds,
    signingKeys: { list: noKeys, rotate: noKeys, replaceNow: noKeys },
    who: "console",
  };
  await stores.registrations.insert(registrationOf({ id: "reg", clientId: "client" }));
  const deployment = { registrationId: "reg", deploymentId: "dep-1", status: "accepted" } as const;
  await stores.deployments.record({ ...deployment, firstSeenAt: now });
  await recordPerson(stores.people, "per-ada", { registrationId: "reg", deploymentId: "dep-1", sub: "ada" });
  for (const [id, registrationId, deploymentId, personId] of [
    ["ada", "reg", "dep-1", "per-ada"],
    ["bob", "reg", "dep-2", "per-bob"],
    ["eve", "other", "dep-1", "per-eve"],
  ] as const)
    await stores.consoleSessions.insert({
      id,
      right: "lms",
      operator: null,
      registrationId,
      personId,
      deploymentId,
      beganAt: now,
      usedAt: now,
      endsAt: new Date(now + 3_600_000),
    });
});

/** Who is still in the console. */
const left = async () => (await opened.stores.consoleSessions.listLive(now, 10)).map(({ id }) => id).sort();

describe("An LMS's administrators leave the console", () => {
  test.each<[string, (app: OperatingApp) => Promise<unknown>, string[]]>([
    ["when all sessions of the LMS are ended", (app) => endSessionsOfLms(app, "reg"), ["eve"]],
    ["when it is switched off", (app) => switchRegistration(app, "reg", false), ["eve"]],
    [
      "when their deployment is refused",
      (app) => decideDeployment(app, "reg", "dep-1", "refused"),
      ["bob", "eve"],
    ],
    ["when their own sessions are ended", (app) => endSessionsOfPerson(app, "per-ada"), ["bob", "eve"]],
  ])("%s", async (_when, act, stay) => {
    await act(deps);
    expect(await left()).toEqual(stay);
  });

  test("but not that of the administrator who asks for it", async () => {
    await endSessionsOfLms({ ...deps, who: "lms-administrator", personId: "per-ada" }, "reg");
    expect(await left()).toEqual(["ada", "eve"]);
  });

  test("but not when sessions of one course are ended", async () => {
    const key = { registrationId: "reg", deploymentId: "dep-1", contextId: "c" };
    const { id } = await opened.stores.courses.record(key, launchedCourse(), newCourse("crs"));
    await endSessionsOfCourse(deps, id);
    expect(await left()).toEqual(["ada", "bob", "eve"]);
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import type { Registration } from "../../../src/domain/registration.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import {
  addAccount,
  bindAccount,
  connectAccount,
  connectWebhooks,
  prepareAccount,
  rotateWebhookSecret,
} from "../../../src/modules/accounts/change-accounts.ts";
import {
  type Accounts,
  createKnownAccounts,
  ownAccountOf,
} from "../../../src/modules/accounts/known-accounts.ts";
import { removeAccount, runDoctor } from "../../../src/modules/operations/classroom-accounts.ts";
import { acceptNewDeployment, giveConnection, showSetUp } from "../../../src/modules/operations/set-up.ts";
import { newCourse, launchedCourse } from "../../support/builders/launched-course.ts";
import { openEmptyStores, type OpenedStores } from "../../support/builders/open-empty-stores.ts";
import { recordPerson } from "../../support/builders/give-api-user.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { testAccount } from "../../support/builders/test-accounts.ts";

const connection = { baseUrl: "https://api.test", appUrl: "https://app.test" };
const key = "the-key-of-north";

let opened: OpenedStores;
let accounts: Accounts;
let north: Registration;
let south: Registration;
/** The keys tried at a service, and whether it refuses them. */
let tried: string[];
const service = { refuses: false };
const clock = { now: () => 1_000_000, sleep: () => Promise.resolve() };
const sealer = createSealer("a secret key of at least thirty-two bytes", undefined);

const deps = () => ({
  ...opened.stores,
  accounts,
  sealer,
  clock,
  ids: randomIds,
  parseDialect,
  addressProblem: (address: string) => (address.includes("10.0.0.1") ? "It is private." : null),
  signingKeys: unused,
  who: "command-line" as const,
  refusesKey: (_id: string, { apiKey }: { apiKey: string }) => {
    tried.push(apiKey);
    return Promise.resolve(service.refuses);
  },
});
/** The accounts as one process knows them. */
const knownAccounts = () =>
  createKnownAccounts({
    builtIn: [testAccount("production")],
    sealer,
    parseDialect,
    clock,
    classroomAccounts: opened.stores.classroomAccounts,
    logger: createLogger("silent"),
  });
/** No key is created here. */
const noKeys = () => Promise.reject(new Error("no key is made here"));
const unused = { list: noKeys, rotate: noKeys, replaceNow: noKeys };
const whose = (deploymentId: string | null = null) => ({ registrationId: north.id, deploymentId });
const own = () => ownAccountOf(deps(), north, null);

beforeEach(async () => {
  opened = await openEmptyStores(opened);
  tried = [];
  service.refuses = false;
  accounts = await knownAccounts();
  await prepareAccount(deps(), { id: "north", name: "North College" });
  north = registrationOf({ id: "reg_north", clientId: "north", environment: "north" });
  south = registrationOf({ id: "reg_south", clientId: "south", environment: "production" });
  await opened.stores.registrations.insert(north);
  await opened.stores.registrations.insert(south);
});

describe("an account belongs to an LMS", () => {
  test("while nobody else uses it, even before it has addresses and a key", async () => {
    expect(await own()).toMatchObject({ id: "north", complete: false, hasKey: false });
    expect(accounts.find("north")).toMatchObject({ paused: true, lacks: "connection" });
  });

  test("but not if variables define it", async () =>
    expect(await ownAccountOf(deps(), south, null)).toBeNull());

  test("but not once another LMS is bound to it", async () => {
    await bindAccount(deps(), "north", { registrationId: south.id, deploymentId: null });
    expect(await own()).toBeNull();
  });

  test("but not once a deployment of another LMS is bound to it", async () => {
    await opened.stores.deployments.record({
      registrationId: south.id,
      deploymentId: "7",
      status: "accepted",
      firstSeenAt: 1,
    });
    await bindAccount(deps(), "north", { registrationId: south.id, deploymentId: "7" });
    expect(await own()).toBeNull();
  });

  test("but not while a course of another LMS was made with it, wherever new courses there go", async () => {
    await opened.stores.courses.record(
      { registrationId: south.id, deploymentId: "1", contextId: "2" },
      launchedCourse(),
      { ...newCourse("crs_1"), environment: "north" },
    );
    expect(await own()).toBeNull();
  });

  test("until its LMS is bound to another account", async () => {
    await bindAccount(deps(), "production", { registrationId: north.id, deploymentId: null });
    const bound = await opened.stores.registrations.find(north.id);
    expect(await ownAccountOf(deps(), bound ?? north, null)).toBeNull();
  });
});

describe("an account that is bound to one deployment of an LMS", () => {
  const from = (deploymentId: string | null) => ownAccountOf(deps(), north, deploymentId);
  const seen = async (...ids: readonly string[]) => {
    for (const deploymentId of ids)
      await opened.stores.deployments.record({
        registrationId: north.id,
        deploymentId,
        status: "accepted",
        firstSeenAt: 1,
      });
  };
  const courseOf = (deploymentId: string) =>
    opened.stores.courses.record(
      { registrationId: north.id, deploymentId, contextId: `of-${deploymentId}` },
      launchedCourse({ title: "Biology", label: "" }),
      { ...newCourse(`of-${deploymentId}`), environment: "arts" },
    );
  beforeEach(async () => {
    await seen("arts", "law");
    await prepareAccount(deps(), { id: "arts", name: "School of Arts" });
    await prepareAccount(deps(), { id: "law", name: "School of Law" });
    for (const id of ["arts", "law"])
      await bindAccount(deps(), id, { registrationId: north.id, deploymentId: id });
  });

  test("belongs to administrators from there; other deployments have their own account, or else the LMS's", async () => {
    await courseOf("arts");
    expect([await from("arts"), await from("law")]).toMatchObject([
      { id: "arts", deploymentId: "arts" },
      { id: "law", deploymentId: "law" },
    ]);
    for (const elsewhere of ["library", null])
      expect(await from(elsewhere)).toMatchObject({ id: "north", deploymentId: null });
  });

  test("is the only account they can change", async () => {
    await giveConnection(deps(), whose("arts"), { ...connection, apiKey: key });
    expect([accounts.find("arts")?.apiKey, accounts.find("law")?.apiKey]).toEqual([key, ""]);
    expect(accounts.find("north")?.apiKey).toBe("");
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "another deployment uses it, too",
      () => bindAccount(deps(), "arts", { registrationId: north.id, deploymentId: "law" }),
    ],
    [
      "the whole LMS uses it, too",
      () => bindAccount(deps(), "arts", { registrationId: north.id, deploymentId: null }),
    ],
    [
      "another LMS uses it, too",
      () => bindAccount(deps(), "arts", { registrationId: south.id, deploymentId: null }),
    ],
    ["a course of another deployment was made with it", () => courseOf("law")],
  ])("belongs to nobody when %s", async (_what, happens) => {
    await happens();
    expect(await from("arts")).toBeNull();
    const changed = giveConnection(deps(), whose("arts"), { ...connection, apiKey: key });
    await expect(changed).rejects.toMatchObject({ code: "account-not-own", status: 403 });
  });
});

describe("the address for its webhooks", () => {
  const connect = (
    configureWebhook: (webhook: { secret: string }) => Promise<void> = () => Promise.resolve(),
  ) =>
    connectWebhooks(
      {
        ...deps(),
        publicUrl: "https://tool.test",
        classroomOf: () => ({
          configureWebhook: async (webhook) => {
            await configureWebhook(webhook);
            return { confirmed: true };
          },
        }),
      },
      "north",
    );

  test("is sent with the secret that another process has just made", async () => {
    await rotateWebhookSecret({ ...deps(), accounts: await knownAccounts() }, "north", "the-new-secret");
    const sent: string[] = [];
    await connect(({ secret }) => Promise.resolve(void sent.push(secret)));
    expect(sent).toEqual(["the-new-secret"]);
    expect((await own())?.webhooksConnectedAt).toBe(clock.now());
  });

  test("doesn't count as sent when the secret changes in between", async () => {
    const meanwhile = () => rotateWebhookSecret(deps(), "north", "the-new-secret");
    await expect(connect(meanwhile)).rejects.toMatchObject({ code: "account-changed" });
    expect((await own())?.webhooksConnectedAt).toBeNull();
  });
});

test("a failed examination leaves the step to do, whatever an earlier one found", async () => {
  const doctorStep = async (examineClassrooms: Parameters<typeof runDoctor>[0]["examineClassrooms"]) => {
    const app = { ...deps(), logger: createLogger("silent"), clock: systemClock, examineClassrooms };
    await (
      await runDoctor(app, { account: "north", registrationId: north.id })
    )?.ended;
    const { steps } = await showSetUp(deps(), north.id);
    return steps.find(({ step }) => step === "doctor")?.state;
  };
  const well = { well: true, tool: [], environments: [{ environment: "north", findings: [] }] };
  expect(await doctorStep(() => Promise.resolve(well))).toBe("done");
  expect(await doctorStep(() => Promise.reject(new Error("no answer")))).toBe("todo");
});

describe("an account's administrator", () => {
  test("enters addresses and a key, which is tested first", async () => {
    await giveConnection(deps(), whose(), { ...connection, apiKey: key });
    expect(tried).toEqual([key]);
    expect(accounts.find("north")).toMatchObject({ ...connection, apiKey: key, paused: false });
  });

  test("keeps the working key when the service refuses another", async () => {
    await giveConnection(deps(), whose(), { ...connection, apiKey: key });
    service.refuses = true;
    const wrong = giveConnection(deps(), whose(), { ...connection, apiKey: "another-key" });
    await expect(wrong).rejects.toMatchObject({ code: "account-key-refused" });
    expect(accounts.find("north")).toMatchObject({ apiKey: key, paused: false });
  });

  test("must enter the key again for another API address, but may change the other address alone", async () => {
    await giveConnection(deps(), whose(), { ...connection, apiKey: key });
    const moved = connectAccount(deps(), "north", { ...connection, baseUrl: "https://elsewhere.test" });
    await expect(moved).rejects.toMatchObject({ code: "account-key-needed" });
    await connectAccount(deps(), "north", { ...connection, appUrl: "https://app2.test" });
    expect(accounts.find("north")).toMatchObject({ apiKey: key, appUrl: "https://app2.test" });
  });

  test("cannot change an account that others use, too", async () => {
    await bindAccount(deps(), "north", { registrationId: south.id, deploymentId: null });
    const shared = giveConnection(deps(), whose(), { ...connection, apiKey: key });
    await expect(shared).rejects.toMatchObject({ code: "account-not-own", status: 403 });
    expect(tried).toEqual([]);
  });

  test("accepts a deployment that was refused as new, but not one that an operator refused", async () => {
    const { deployments } = opened.stores;
    const seen = { registrationId: north.id, status: "refused" as const, firstSeenAt: 1 };
    for (const deploymentId of ["new", "refused"]) await deployments.record({ ...seen, deploymentId });
    await deployments.setStatus(north.id, "refused", "refused", 5);
    await acceptNewDeployment(deps(), north.id, "new");
    const decided = acceptNewDeployment(deps(), north.id, "refused");
    await expect(decided).rejects.toMatchObject({ code: "deployment-decided", status: 403 });
    const statuses = (await deployments.listOf(north.id)).map(({ deploymentId, status }) => [
      deploymentId,
      status,
    ]);
    expect(Object.fromEntries(statuses)).toEqual({ new: "accepted", refused: "refused" });
  });
});

test("two invitations can't create the same account, or an existing one", async () => {
  const again = prepareAccount(deps(), { id: "north", name: "Another North" });
  await expect(again).rejects.toMatchObject({ code: "account-exists" });
  const added = addAccount(deps(), {
    id: "north",
    name: "Another North",
    stage: "production",
    ...connection,
    apiKey: key,
    webhookSecret: "a-secret-of-some-length",
  });
  await expect(added).rejects.toMatchObject({ code: "account-exists" });
});

describe("an account is removed", () => {
  const invited = () => prepareAccount(deps(), { id: "west", name: "West College" });
  const remove = () => removeAccount(deps(), "west");

  test("when nothing uses it, and its unused invitations end", async () => {
    await invited();
    const { invitations } = opened.stores;
    const invitation = { environment: "west", expiresAt: 2_000_000, usedAt: null };
    await invitations.insert({ id: "of-west", ...invitation });
    await invitations.insert({ id: "of-north", ...invitation, environment: "north" });
    await remove();
    expect(accounts.find("west")).toBeUndefined();
    expect([await invitations.find("of-west"), (await invitations.find("of-north"))?.id]).toEqual([
      null,
      "of-north",
    ]);
    const entries = await opened.stores.audit.list(null, 10);
    expect(entries).toContainEqual(expect.objectContaining({ what: "account-removed", on: "west" }));
    await expect(remove()).rejects.toMatchObject({ code: "account-unknown" });
  });

  test("but not if variables define it", async () => {
    await expect(removeAccount(deps(), "production")).rejects.toMatchObject({ code: "account-built-in" });
  });

  test.each<[string, string, () => Promise<unknown>]>([
    [
      "an LMS is bound to it",
      "account-has-lms",
      () => bindAccount(deps(), "west", { registrationId: south.id, deploymentId: null }),
    ],
    [
      "an LMS registered with it, and was bound to another one since",
      "account-has-lms",
      async () => {
        const { registrations } = opened.stores;
        await registrations.insert(registrationOf({ id: "reg_west", clientId: "west", environment: "west" }));
        await bindAccount(deps(), "production", { registrationId: "reg_west", deploymentId: null });
      },
    ],
    [
      "an LMS is registering",
      "account-registering",
      () =>
        opened.stores.invitations.insert({
          id: "taken",
          environment: "west",
          expiresAt: 2_000_000,
          usedAt: clock.now() - 1_000,
        }),
    ],
    [
      "a course was made with it",
      "account-has-courses",
      () =>
        opened.stores.courses.record(
          { registrationId: south.id, deploymentId: "1", contextId: "of-west" },
          launchedCourse({ title: "Biology", label: "" }),
          { ...newCourse("of-west"), environment: "west" },
        ),
    ],
    [
      "a person has their users there",
      "account-has-records",
      () => recordPerson(opened.stores.people, "per_ann", { registrationId: south.id, environment: "west" }),
    ],
  ])("but not while %s", async (_what, code, happens) => {
    await invited();
    await happens();
    await expect(remove()).rejects.toMatchObject({ code, status: 409 });
    expect(accounts.find("west")).toBeDefined();
  });
});

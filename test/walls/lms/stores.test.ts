import { describe, expect, test } from "vitest";
import type { Registration } from "../../../src/domain/registration.ts";

import { createLmsStores } from "../../support/builders/lms-stores.ts";
import {
  postLaunch,
  registered,
  signedLaunch,
  startLogin,
  startPlatform,
  startTool,
} from "../../support/stand-ins/signed-launch.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const { stores } = await forAllTests(openEmptyStores());
const { registrations, deployments, invitations, nonces, toolKeys, accessTokens } = stores;

const registration: Registration = registrationOf({ clientId: "c1", createdAt: 5 });
const many = <T>(make: () => Promise<T>) => Promise.allSettled(Array.from({ length: 10 }, make));
const succeeded = (all: PromiseSettledResult<unknown>[]) =>
  all.filter(({ status }) => status === "fulfilled").length;

describe("what the LMS wall remembers", () => {
  test("a person launches once with the real stores", async () => {
    const memory = createLmsStores();
    const tool = await startTool({
      ...memory,
      registrations: { ...registrations, all: [] },
      deployments: { ...deployments, all: [] },
      nonces: { ...nonces, all: new Map() },
      toolKeys,
    });
    const platform = await startPlatform();
    const there = await registered(tool, platform);
    const login = await startLogin(tool, there);
    const token = await signedLaunch(tool, platform, there, login);
    const answers = await Promise.all(Array.from({ length: 5 }, () => postLaunch(tool, login, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(tool.launches).toMatchObject([{ registrationId: there.id, person: { sub: "user-7" } }]);
    expect(await deployments.listOf(there.id)).toMatchObject([{ deploymentId: "1", status: "accepted" }]);
    await platform.close();
    await tool.close();
  });

  test("a registration comes back unchanged, and a second one never replaces it", async () => {
    await registrations.insert(registration);
    await expect(registrations.insert({ ...registration, id: "reg_x", name: "Evil" })).rejects.toMatchObject({
      code: "registration-exists",
    });
    await registrations.insert({ ...registration, id: "reg_2", clientId: "c2" });
    expect(await registrations.find("reg_1")).toEqual(registration);
    expect(await registrations.findByClient("https://lms.test", "c1")).toEqual(registration);
    expect(await registrations.findByClient("https://lms.test", "C1")).toBeNull();
    expect(await registrations.listByIssuer("https://lms.test")).toHaveLength(2);
    expect(await registrations.set("reg_1", { active: false })).toBe(true);
    expect((await registrations.find("reg_1"))?.active).toBe(false);
  });

  test("a deployment stays what its first launch made it, even with others at the same moment", async () => {
    const first = {
      registrationId: "reg_1",
      deploymentId: "7:a",
      status: "refused",
      firstSeenAt: 1,
    } as const;
    const all = await many(() => deployments.record(first));
    expect(succeeded(all)).toBe(10);
    expect(await deployments.record({ ...first, status: "accepted", firstSeenAt: 2 })).toEqual(first);
    expect(await deployments.listOf("reg_1")).toEqual([{ ...first, decidedAt: null }]);
    await deployments.setStatus("reg_1", "7:a", "accepted", 5);
    expect(await deployments.listOf("reg_1")).toEqual([{ ...first, status: "accepted", decidedAt: 5 }]);
  });

  test("an invitation is used by one of ten, and can be returned only by that one", async () => {
    await invitations.insert({ id: "inv_1", environment: "staging", expiresAt: 100, usedAt: null });
    expect(await invitations.take("inv_1", 100)).toBeNull();
    const all = await many(() => invitations.take("inv_1", 50));
    expect(all.filter((one) => one.status === "fulfilled" && one.value !== null)).toHaveLength(1);
    await invitations.release("inv_1", 49);
    expect(await invitations.take("inv_1", 51)).toBeNull();
    await invitations.release("inv_1", 50);
    expect(await invitations.take("inv_1", 52)).toMatchObject({ environment: "staging", usedAt: 52 });
  });

  test("a nonce counts once for each LMS", async () => {
    const until = Date.now() + 60_000;
    expect(succeeded(await many(() => nonces.use("reg_1", "n1", until)))).toBe(1);
    await expect(nonces.use("reg_1", "n1", until)).rejects.toMatchObject({ code: "nonce-used" });
    await nonces.use("reg_2", "n1", until);
  });

  test("one of ten keys made for the same generation is kept", async () => {
    let n = 0;
    const key = () => ({
      kid: `key_${(n += 1)}`,
      registrationId: "reg_1",
      generation: 1,
      publicKey: "{}",
      sealedPrivateKey: "v1.x",
      notBefore: 1,
      retiredAt: null,
      createdAt: 1,
    });
    expect(succeeded(await many(() => toolKeys.insert(key())))).toBe(1);
    await toolKeys.insert({ ...key(), generation: 2 });
    expect((await toolKeys.listOf("reg_1")).map(({ generation }) => generation)).toEqual([2, 1]);
    const [newest] = await toolKeys.listOf("reg_1");
    await toolKeys.retire(newest?.kid ?? "", 9);
    expect((await toolKeys.listOf("reg_1"))[0]?.retiredAt).toBe(9);
    expect(await toolKeys.list()).toHaveLength(2);
  });

  test("an access token is replaced by the next, and only the exact one is dropped", async () => {
    const token = {
      registrationId: "reg_1",
      scopes: "a b",
      sealedToken: "one",
      expiresAt: Date.now() + 60_000,
    };
    await accessTokens.save(token);
    await accessTokens.save({ ...token, sealedToken: "two" });
    await accessTokens.drop(token);
    expect(await accessTokens.find("reg_1", "a b", Date.now())).toEqual({ ...token, sealedToken: "two" });
    expect(await accessTokens.find("reg_1", "a b", token.expiresAt)).toBeNull();
    await accessTokens.drop({ ...token, sealedToken: "two" });
    expect(await accessTokens.find("reg_1", "a b", Date.now())).toBeNull();
  });
});

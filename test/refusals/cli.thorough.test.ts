import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { developerKeyProblems } from "../support/stand-ins/canvas-rules.ts";
import { rightVariables, runCommand, runNode } from "../support/tool/run-cli.ts";
import { folderForTest } from "../support/folders.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await folderForTest();
});

const variables = () => rightVariables(folder);

/** Runs one command in this process; see also `runProgram`. */
function run(command: readonly string[], environment = variables()) {
  return runCommand(environment, command);
}

/** Runs one command as an operator does. */
function runProgram(command: readonly string[], environment = variables()) {
  return runNode([cli, ...command], environment, folder);
}

const addMoodle = [
  ["platform", "add"],
  ["--issuer", "https://moodle.example"],
  ["--client-id", "client-1"],
  ["--auth-url", "https://moodle.example/mod/lti/auth.php"],
  ["--token-url", "https://moodle.example/mod/lti/token.php"],
  ["--jwks-url", "https://moodle.example/mod/lti/certs.php"],
  ["--family", "moodle"],
];

describe("the program", () => {
  test("exits with 2 and the usage for an unknown command, before anything is opened", async () => {
    const { code, out, err } = await runProgram(["dance"], {});
    expect(code).toBe(2);
    expect(err).toMatch(/no command "dance"/);
    expect(err).toContain("Usage: npm run cli");
    expect(err).not.toMatch(/^ {4}at /m);
    expect(out).toBe("");
    expect(existsSync(join(folder, "data"))).toBe(false);
  });

  test("exits with 1 and the list of missing variables without a configuration", async () => {
    const { code, out, err } = await runProgram(["platform", "list"], {});
    expect(code).toBe(1);
    expect(err).toContain("PUBLIC_URL is missing");
    expect(out).toBe("");
  });

  test("prints and exits like the command within this process", async () => {
    await run(addMoodle.flat());
    for (const command of [
      ["platform", "list", "--json"],
      ["keys", "rotate", "reg_nobody"],
    ]) {
      const program = await runProgram(command);
      expect([command, program]).toEqual([command, await run(command)]);
    }
  });
});

describe("a command that cannot run", () => {
  test.each<[readonly string[], RegExp]>([
    [[], /Which command/],
    [["dance\u001b[2J"], /no command "dance\\u001b\[2J"/],
    [["platform", "disable"], /Which registration/],
    [["platform", "deployment", "reg_1", "1", "perhaps"], /accept or refuse/],
    [["platform", "family", "reg_1"], /The family is/],
    [["keys", "rotate", "reg_1", "--all"], /Which registration/],
    [["config", "canvas", "--public-url", "tool.example"], /full web address/],
    [["replay", "one", "two"], /Give one id/],
    [["doctor", "--space", "s1"], /with --create only/],
    [["invite", "--colour", "red"], /--colour/],
  ])("%j exits with 2 and the usage, before the configuration is read", async (command, words) => {
    const { code, out, err } = await run(command, {});
    expect(code).toBe(2);
    expect(err).toMatch(words);
    expect(err).toContain("Usage: npm run cli");
    expect(err).not.toMatch(/^ {4}at /m);
    expect(out).toBe("");
  });

  test.each<[readonly string[], RegExp]>([
    [["invite", "--hours", "721"], /--hours must be/],
    [["invite", "--new-account", "north", "--account", "production"], /not both/],
    [["invite", "--new-account", "North College"], /--id must be lower-case letters/],
    [["invite", "--new-account", "production"], /account that variables make/],
    [["invite", "--institution", "North", "--administrators", "perhaps"], /in or out/],
    [["account", "change", "north"], /Give what is to change/],
    [["account", "change", "north", "--calls-per-second", "5"], /whole number from 1 to 4/],
    [["account", "change", "north", "--dialect-file", "/no/such/file"], /cannot be read/],
    [["doctor", "--account", "test"], /no classroom account test\. There are: production/],
    [["replay"], /Which ones/],
    [["replay", "--state", "lost"], /--state is/],
    [["replay", "one", "--state", "failed"], /given alone/],
    [["replay", "--state", "failed", "--account", "No such"], /--account is/],
    [["replay", "--state", "failed", "--since", "yesterday"], /--since is/],
    [["replay", "rcp_nobody"], /no webhook rcp_nobody/],
    [["deliveries", "retry", "dlv_nobody"], /no score dlv_nobody/],
    [["platform", "disable", "reg_nobody"], /no registration reg_nobody/],
    [[...addMoodle.flat(), "--new-deployments", "perhaps"], /--new-deployments is accept or refuse/],
  ])("%j exits with 2 and says why", async (command, words) => {
    const { code, err } = await run(command);
    expect(code).toBe(2);
    expect(err).toMatch(words);
  });

  test("platform add without one of the LMS's addresses or names says which, and adds nothing", async () => {
    const needed = ["--issuer", "--client-id", "--auth-url", "--token-url", "--jwks-url"];
    const answers = await Promise.all(
      needed.map((option) => run(addMoodle.filter(([name]) => name !== option).flat())),
    );
    expect(answers.map(({ code, err }) => [code, err.split("\n")[0]])).toEqual(
      needed.map((option) => [2, `${option} is missing.`]),
    );
    // No command has created a database.
    const listed = await run(["platform", "list"]);
    expect(listed.code).toBe(1);
    expect(listed.err).toContain("does not exist");
  });

  test("platform add with a private or plain address is refused in one line", async () => {
    const add = addMoodle.map(([name, value]) =>
      name === "--token-url" ? [name, "http://127.0.0.1/token"] : [name, value],
    );
    const { code, err } = await run(add.flat().filter((text) => text !== undefined));
    expect(code).toBe(1);
    expect(err).toContain("The token address");
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});

describe("an operator", () => {
  test("gets a one-time registration address, a new one each time", async () => {
    const address = /^https:\/\/tool\.example\/lti\/register\?invite=[\w-]{32,}$/m;
    const [first, second] = [await run(["invite"]), await run(["invite", "--hours", "1"])];
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(first.out).toMatch(address);
    expect(address.exec(second.out)?.[0]).not.toBe(address.exec(first.out)?.[0]);
  });

  test("gets JSON for machines", async () => {
    const before = Date.now();
    const { out } = await run(["invite", "--hours", "2", "--json"]);
    const invitation: unknown = JSON.parse(out);
    expect(invitation).toMatchObject({ account: "production" });
    const expires = Date.parse(/"expiresAt": "([^"]+)"/.exec(out)?.[1] ?? "");
    expect(expires - before).toBeGreaterThanOrEqual(7_200_000);
    expect(expires - before).toBeLessThan(7_260_000);
  });

  test("adds an LMS, sees it, turns it off and on again, and cannot add it twice", async () => {
    const added = await run(addMoodle.flat());
    expect(added.err).toBe("");
    expect(added.code).toBe(0);
    expect(added.out).toContain("https://tool.example/lti/login");
    const id = /reg_[0-9a-f]+/.exec(added.out)?.[0] ?? "none";

    const line = (state: string) =>
      new RegExp(`^${id} +${state} +production +https://moodle\\.example +client-1`);
    expect((await run(["platform", "list"])).out).toMatch(line("on"));

    const twice = await run(addMoodle.flat());
    expect(twice.code).toBe(1);
    expect(twice.err.trim().split("\n")).toHaveLength(1);

    expect((await run(["platform", "disable", id])).code).toBe(0);
    expect((await run(["platform", "list"])).out).toMatch(line("off"));
    expect((await run(["platform", "enable", id])).code).toBe(0);

    const listed = (await run(["platform", "list"])).out;
    expect(listed).toMatch(line("on"));
    expect(listed.trim().split("\n")).toHaveLength(1);
  });

  test("decides where in an LMS the tool may be installed", async () => {
    const command = [...addMoodle.flat(), "--deployment-id", "7", "--new-deployments", "refuse"];
    const { out } = await run(command);
    const id = /reg_[0-9a-f]+/.exec(out)?.[0] ?? "none";
    expect((await run(["platform", "deployments", id])).out).toMatch(
      /^New deployments: refuse\naccepted {2}first seen \d{4}-\S+Z {2}7$/m,
    );
    const unseen = await run(["platform", "deployment", id, "8", "accept"]);
    expect(unseen.code).toBe(2);
    expect(unseen.err).toContain("No launch has come from the deployment 8 yet");
    expect((await run(["platform", "deployment", id, "7", "refuse"])).code).toBe(0);
    expect((await run(["platform", "new-deployments", id, "accept"])).code).toBe(0);
    const listed: unknown = JSON.parse((await run(["platform", "deployments", id, "--json"])).out);
    expect(listed).toMatchObject({
      newDeployments: "accept",
      deployments: [{ deploymentId: "7", status: "refused" }],
    });
  });

  test("adds audiences that an LMS's tokens may have, and removes them", async () => {
    const { out } = await run(addMoodle.flat());
    const id = /reg_[0-9a-f]+/.exec(out)?.[0] ?? "none";
    const trusted = async () => {
      const listed: unknown = JSON.parse((await run(["platform", "list", "--json"])).out);
      return JSON.stringify(listed);
    };
    expect((await run(["platform", "audiences", id, "https://hub.example"])).code).toBe(0);
    expect(await trusted()).toContain('"trustedAudiences":["https://hub.example"]');
    expect((await run(["platform", "audiences", id])).out).toContain("us and nobody else");
    expect(await trusted()).toContain('"trustedAudiences":[]');
    expect((await run(["platform", "audiences", "reg_none"])).code).toBe(2);
  });

  test("is told by the connection test that the LMS cannot be reached, and the command exits with 1", async () => {
    const add = addMoodle.map(([name, value]) =>
      name === "platform" ? [name, value] : [name, value?.replace("moodle.example", "moodle.invalid")],
    );
    const { out } = await run(add.flat().filter((text) => text !== undefined));
    const { code, out: report } = await run(["platform", "test", /reg_[0-9a-f]+/.exec(out)?.[0] ?? "none"]);
    expect(code).toBe(1);
    expect(report).toMatch(/^fails +keys .*moodle\.invalid didn’t answer/m);
    expect(report).toMatch(/^not-tried +launch /m);
  });

  test("changes SECRET_KEY: with the previous one, by resealing, and then without it", async () => {
    const id = /reg_[0-9a-f]+/.exec((await run(addMoodle.flat())).out)?.[0] ?? "none";
    const current = { ...variables(), SECRET_KEY: "another-secret-key-of-at-least-32-bytes!" };
    const lost = await run(["keys", "reseal"], current);
    expect(lost.code).toBe(1);
    expect(lost.err).toMatch(/^Keys that neither SECRET_KEY nor SECRET_KEY_PREVIOUS opens: 1 /);
    expect(lost.err.trim().split("\n")).toHaveLength(1);

    const both = { ...current, SECRET_KEY_PREVIOUS: variables()["SECRET_KEY"] ?? "" };
    expect((await run(["keys", "reseal"], both)).out).toContain(
      "1 key(s) and the secrets of 0 classroom account(s) are sealed under the current",
    );
    expect((await run(["keys", "reseal"], current)).code).toBe(0);
    expect((await run(["keys", "rotate", id], current)).out).toMatch(/key_[0-9a-f]+ is in the key set now/);
    expect((await run(["keys", "reseal"])).code).toBe(1);
  });

  test("rotates the keys of all LMSs that are switched on", async () => {
    expect((await run(["keys", "rotate", "--all"])).out).toContain("No LMS is registered and switched on.");
    const id = /reg_[0-9a-f]+/.exec((await run(addMoodle.flat())).out)?.[0] ?? "none";
    expect((await run(["keys", "rotate", "--all"])).out).toMatch(new RegExp(`^${id}: The key key_`));
    await run(["platform", "disable", id]);
    expect((await run(["keys", "rotate", "--all"])).out).toContain("No LMS is registered and switched on.");
  });

  test("exports the audit log from an entry on", async () => {
    await run(addMoodle.flat());
    const { code, out } = await run(["audit", "export"]);
    expect(code).toBe(0);
    const { id, what } = z.object({ id: z.string(), what: z.string() }).parse(JSON.parse(out));
    expect(what).toBe("registration-added");
    // The export is an entry itself, with which the next one begins.
    const rest: unknown = JSON.parse((await run(["audit", "export", "--after", id, "--json"])).out);
    expect(rest).toMatchObject([{ what: "audit-log-exported", who: "command-line" }]);
    expect((await run(["audit", "export", "--after", "first"])).code).toBe(2);
  });

  test("creates the files for LMS administrators without a configuration", async () => {
    const canvas = await run(["config", "canvas", "--public-url", "https://tool.example/"], {});
    expect(canvas.err).toBe("");
    const configuration: unknown = JSON.parse(canvas.out);
    expect(developerKeyProblems(configuration)).toEqual([]);
    expect(configuration).toMatchObject({ public_jwk_url: "https://tool.example/lti/keys" });
    const moodle = await run(["config", "moodle", "--public-url", "https://tool.example"], {});
    expect(moodle.out).toContain("spaces_moodle_groups=$Moodle.Person.userGroupIds");
    expect((await run(["config", "canvas"])).out).toBe(canvas.out);
  });
});

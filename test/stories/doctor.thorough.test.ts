import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runNode } from "../support/tool/run-cli.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

const world = await forAllTests(startWorld());

/** Runs a command as an operator does, beside the tool. */
async function run(command: readonly string[], variables: Record<string, string> = {}) {
  const ran = await runNode([cli, ...command], { ...world.variables, ...variables }, tmpdir());
  expect(ran.out + ran.err).not.toContain(world.variables.CLASSROOM_API_KEY);
  expect(ran.out + ran.err).not.toContain(world.variables.CLASSROOM_WEBHOOK_SECRET);
  return ran;
}

describe("an operator", () => {
  test("learns from the doctor that all is well, while people enter and no call is refused", async () => {
    const [examined] = await Promise.all([run(["doctor"]), walkIn(world, "student7", "1")]);
    expect(examined.err).toBe("Asking the production classroom ...\n");
    expect(examined.out).toContain("leads to this tool");
    expect(examined.out).toMatch(/^Nothing is wrong\./m);
    expect(examined.code).toBe(0);
    expect(world.classroom.callCounts()).toMatchObject({ refusedByLimit: 0 });
  }, 60_000);

  test("is warned before the doctor creates what cannot be deleted", async () => {
    const { code, out, err } = await run(["doctor", "--create", "--json", "--account", "production"]);
    expect(err).toMatch(
      /^--create makes an API user of each role, a Space and a login, .* production\.\nUsers and Spaces cannot be deleted/,
    );
    const report: unknown = JSON.parse(out);
    expect(report).toMatchObject({ well: true, environments: [{ environment: "production" }] });
    expect(code).toBe(0);
    expect(world.classroom.spaces().filter(({ name }) => name.startsWith("spaces-lti doctor"))).toHaveLength(
      1,
    );
  }, 60_000);

  test("connects the classroom's webhooks with this tool", async () => {
    world.classroom.setWebhookUrl(null);
    const { code, out } = await run(["webhooks", "connect"]);
    expect(code).toBe(0);
    expect(out).toContain(`${world.toolUrl}/webhooks/production`);
    const call = world.classroom.calls().findLast(({ operation }) => operation === "configureWebhook");
    expect(call?.body).toEqual({
      url: `${world.toolUrl}/webhooks/production`,
      secret: world.variables.CLASSROOM_WEBHOOK_SECRET,
    });
  }, 60_000);
});

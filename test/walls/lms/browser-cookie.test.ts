import { describe, expect, test } from "vitest";
import { createBrowserCookie } from "../../../src/lms/login-state.ts";
import { startTool } from "../../support/stand-ins/signed-launch.ts";

/** The options with which a cookie is set at this launch address. */
function optionsAt(launchUrl: string): unknown {
  const given: unknown[] = [];
  const response = { cookie: (...parts: unknown[]) => given.push(parts[2]) };
  Reflect.apply(createBrowserCookie(launchUrl).set, null, [response, "a".repeat(50), "value"]);
  return given[0];
}

describe("the cookie that binds a launch to its browser", () => {
  test("works inside an LMS's frame over https: Secure, SameSite=None, Partitioned, only for the launch address", () => {
    expect(optionsAt("https://tool.test/prefix/lti/launch")).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: "none",
      partitioned: true,
      path: "/prefix/lti/launch",
      maxAge: 600_000,
    });
  });

  test("is Lax and not Secure over plain http, in development", () => {
    expect(optionsAt("http://localhost:3000/lti/launch")).toMatchObject({
      secure: false,
      sameSite: "lax",
      partitioned: false,
    });
  });

  test("ltijs leaves no handler that would end the process", async () => {
    const before = process.listenerCount("SIGINT");
    const tool = await startTool();
    expect(process.listenerCount("SIGINT")).toBe(before);
    await tool.close();
  });
});

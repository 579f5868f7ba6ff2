import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { freePort, startToolProcess, type ToolProcess, toolSource } from "../../sandbox/tool-process.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { folderForTest } from "../support/folders.ts";

let folder: string;
let tool: ToolProcess;
let port: number;
beforeEach(async () => {
  folder = await folderForTest();
  port = await freePort();
  const variables = {
    PUBLIC_URL: `http://127.0.0.1:${String(port)}`,
    PORT: String(port),
    SECRET_KEY: randomIds.secret(48),
    DATABASE_URL: `file:${folder}`,
    CLASSROOM_BASE_URL: "http://127.0.0.1:1",
    CLASSROOM_APP_URL: "http://127.0.0.1:1",
    CLASSROOM_API_KEY: randomIds.secret(),
    CLASSROOM_WEBHOOK_SECRET: randomIds.secret(),
    ALLOW_PRIVATE_PLATFORMS: "1",
  };
  tool = await startToolProcess(variables, toolSource);
});
afterEach(async () => {
  await tool.end("SIGKILL");
});

/** A request without its body; `finish` sends that and returns the answer. */
async function requestInHand(): Promise<() => Promise<string>> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let answer = "";
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    answer += text;
  });
  socket.write(
    "POST /lti/launch HTTP/1.1\r\nHost: tool\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\nExpect: 100-continue\r\n\r\n",
  );
  // From here on the tool is processing it.
  await vi.waitFor(() => {
    expect(answer).toContain("100 Continue");
  });
  return async () => {
    socket.write("state=x");
    await once(socket, "close");
    return answer;
  };
}

describe("a tool that is asked to stop", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "by %s twice, as a supervisor signals the whole group, finishes its requests and exits cleanly",
    async (signal) => {
      const finish = await requestInHand();
      const exited = once(tool.child, "exit");
      tool.child.kill(signal);
      await vi.waitFor(() => {
        expect(tool.output()).toContain('"msg":"stopping"');
      });
      tool.child.kill(signal);
      tool.child.kill("SIGTERM");
      expect(await finish()).toMatch(/HTTP\/1\.1 400/);
      expect(await exited).toEqual([0, null]);
      expect(tool.output()).toContain("spaces-lti has stopped");
      expect((await readdir(folder)).toSorted()).toEqual(["spaces.sqlite", "spaces.sqlite.made"]);
    },
  );

  test("and again by a person some seconds later exits immediately", async () => {
    await requestInHand();
    const exited = once(tool.child, "exit");
    tool.child.kill("SIGINT");
    const again = setInterval(() => tool.child.kill("SIGINT"), 500);
    expect(await exited).toEqual([130, null]);
    clearInterval(again);
    expect(tool.output()).not.toContain("spaces-lti has stopped");
  });
});

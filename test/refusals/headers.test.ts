import { readFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConsoleTool, logIn, startConsoleTool } from "../support/tool/console-tool.ts";

/** Every route of the running program, as `test/stories/routes.test.ts` lists them, with a value for each parameter. */
function routes(): { method: string; path: string }[] {
  const listed = readFileSync(join(import.meta.dirname, "../stories/routes.txt"), "utf8")
    .trim()
    .split("\n");
  return listed.map((line) => {
    const [method = "", path = ""] = line.split(" ");
    // "_ALL" accepts every method, even one that browsers do not use for forms.
    return {
      method: method === "_ALL" ? "PUT" : method,
      path: path.replaceAll(/[{}]/g, "").replaceAll(/[:*]\w+/g, "x"),
    };
  });
}

describe("every answer of the tool", () => {
  let tool: ConsoleTool;
  let cookie = "";
  beforeAll(async () => {
    tool = await startConsoleTool();
    ({ cookie } = await logIn(tool.url));
  });
  afterAll(() => tool.close());

  test("has its security headers at every address, logged in or not", async () => {
    const all = routes();
    expect(all.length).toBeGreaterThan(150);
    const statuses = new Map<number, number>();
    for (const { method, path } of all) {
      // With a cookie the answer is a page, without one a refusal.
      for (const headers of path.startsWith("/admin/") && method === "GET" ? [{ cookie }, {}] : [{}]) {
        const ask = () => fetch(tool.url + path, { method, redirect: "manual", headers });
        // The webhook receivers close the connection of strangers, and the next request on it is lost.
        const answer = await ask().catch(ask);
        const { byteLength } = await answer.arrayBuffer();
        if (byteLength > 0 && /^text\//.test(answer.headers.get("content-type") ?? "text/"))
          expect(answer.headers.get("content-type"), `${method} ${path}`).toMatch(/; ?charset=utf-8$/i);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const said = (name: string) => answer.headers.get(name) ?? "";
        const where = `${method} ${path} ${answer.status}`;
        const policy = said("content-security-policy");
        expect(policy, where).toMatch(/default-src 'none';script-src 'self';style-src 'self'/);
        expect(policy, where).toMatch(/base-uri 'none'/);
        // Pages of a course add their own classroom: see stories/accounts.
        expect(/form-action ([^;]*)/.exec(policy)?.[1], where).toBe("'self'");
        const isFramed = /^\/(lti|c|course|choose|door|enter|space|waiting|ended)(\/|$)/.test(path);
        const around = /frame-ancestors ([^;]*)/.exec(policy)?.[1];
        if (path !== "/lti/register") expect(around, where).toBe(isFramed ? "https: http:" : "'none'");
        expect(policy, where).not.toMatch(/unsafe|\*/);
        expect(said("x-content-type-options"), where).toBe("nosniff");
        expect(said("referrer-policy"), where).toMatch(/^(no-referrer|same-origin)$/);
        expect(said("cross-origin-resource-policy"), where).toBe("same-origin");
        expect(said("x-powered-by"), where).toBe("");
        expect(said("strict-transport-security"), where).toBe(""); // plain http, on loopback
        expect(said("x-request-id"), where).toMatch(/^[\w.-]{8,64}$/);
        // An LMS opens us in a new window and must stay our opener for its platform storage.
        if (!path.startsWith("/admin")) expect(said("cross-origin-opener-policy"), where).toBe("");
        if (!["/lti/keys", "/lti/config/canvas.json", "/api/v1/openapi.json"].includes(path))
          expect(said("cache-control"), where).toMatch(/^(no-store|private, max-age=900)/);
      }
    }
    // The table must reach pages, refusals and unknown addresses, or it would prove nothing.
    for (const status of [200, 401, 404, 405]) expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
  });

  test.each(["/", "/healthz", "/assets/", "/assets/style.css", "/lti/login", "/admin"])(
    "to TRACE repeats nothing of the request at %s, and nothing lists files",
    async (path) => {
      const asked = httpRequest(tool.url + path, {
        method: "TRACE",
        headers: { cookie: "secret=of-somebody" },
      });
      const answer = await new Promise<IncomingMessage>((resolve) => asked.once("response", resolve).end());
      const text = await answer.setEncoding("utf8").reduce((all, part: string) => all + part, "");
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(text).not.toContain("of-somebody");
      expect((await fetch(`${tool.url}/assets/`)).status).toBe(404);
    },
  );

  test("allows others to show the icon, and browsers to cache it", async () => {
    const icon = await fetch(`${tool.url}/assets/icon.svg`);
    expect(icon.status).toBe(200);
    expect(icon.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(icon.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(icon.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("has the proxy's request id if it looks like one, as do the log and a failure's page", async () => {
    const given = "01HZX4-proxy.made_this";
    const answer = await fetch(`${tool.url}/course/grades`, {
      headers: { "x-request-id": given, accept: "text/html" },
    });
    expect(answer.headers.get("x-request-id")).toBe(given);
    expect(await answer.text()).toContain(`Reference: ${given}`);
    const lines = tool
      .logged()
      .split("\n")
      .filter((line) => line.includes(`"request":"${given}"`));
    expect(lines).toEqual([expect.stringMatching(/"status":405,.*"code":"page-reloaded",.*"msg":"request"/)]);
  });

  test("has a new id if the given one could be anything", async () => {
    const answer = await fetch(`${tool.url}/healthz`, {
      headers: { "x-request-id": "somebody@example.org" },
    });
    expect(answer.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  });
});

test("a tool behind https tells browsers to use only https", async () => {
  const tool = await startConsoleTool({
    PUBLIC_URL: "https://tool.example",
    CLASSROOM_APP_URL: "https://app.example",
    ALLOW_PRIVATE_PLATFORMS: "0",
  });
  try {
    for (const path of ["/healthz", "/admin", "/nowhere", "/assets/icon.svg"]) {
      const answer = await fetch(tool.url + path);
      expect(answer.headers.get("strict-transport-security"), path).toBe("max-age=31536000");
      expect(answer.headers.get("content-security-policy"), path).not.toContain("http:");
    }
  } finally {
    await tool.close();
  }
});

describe("metrics and readiness", () => {
  let tool: ConsoleTool;
  const token = "a-token-for-prometheus-alone";
  beforeAll(async () => {
    tool = await startConsoleTool({ METRICS_TOKEN: token });
  });
  afterAll(() => tool.close());

  test("need METRICS_TOKEN if it is set", async () => {
    for (const authorization of ["", "Bearer ", `Bearer ${token}x`, `Basic ${token}`, token]) {
      const answer = await fetch(`${tool.url}/metrics`, { headers: { authorization } });
      expect(answer.status, authorization).toBe(401);
      expect(await answer.text()).not.toContain("spaces_lti_");
    }
    const answer = await fetch(`${tool.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toMatch(/^spaces_lti_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1$/m);
    expect(text).toMatch(/^spaces_lti_trouble\{what="store",level="problem"\} 0$/m);
    expect(text).toMatch(
      /^spaces_lti_http_requests_total\{method="GET",route="\/metrics",status="401"\} 5$/m,
    );
  });

  test("report that all is well, and that the process is alive", async () => {
    const ready = await fetch(`${tool.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, problems: [], warnings: [] }]);
    const alive = await fetch(`${tool.url}/healthz`);
    expect([alive.status, await alive.json()]).toEqual([200, { alive: true }]);
  });
});

import { createServer, type Server } from "node:http";
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listen } from "../../sandbox/listen.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { createRateLimit } from "../../src/web/rate-limit.ts";

const time = { now: 1_000_000 };
const clock = { now: () => time.now };
const limited: string[] = [];
const lines: string[] = [];
const deps = {
  clock,
  logger: createLogger("info", { write: (line) => lines.push(line) }),
  onLimited: (routeGroup: string) => limited.push(routeGroup),
};
let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

type Knock = (
  status: number,
  from?: string,
  signal?: AbortSignal,
  proof?: string,
) => Promise<globalThis.Response>;

/** A route with a limit, which answers with the status in the address. */
async function route(limit: RequestHandler): Promise<Knock> {
  const app = express();
  app.set("trust proxy", 1);
  app.use(limit, (request: Request, response: Response) => {
    const status = Number(request.path.slice(1));
    response.status(status).end();
  });
  app.use((thrown: { status: number }, _request: Request, response: Response, _next: NextFunction) => {
    response.status(thrown.status).end();
  });
  return listening(app);
}

async function listening(app: Express): Promise<Knock> {
  const started = createServer(app);
  server = started;
  const port = await listen(started);
  return (status, from = "192.0.2.1", signal, proof = "") =>
    fetch(`http://127.0.0.1:${port}/${status}`, {
      headers: { "x-forwarded-for": from, "x-proof": proof },
      ...(signal === undefined ? {} : { signal }),
    });
}

describe("a route that counts failures", () => {
  const allowance = { max: 3, perSecond: 0.5 };

  test("refuses an address that fails too often, says when to come back, and then lets it in again", async () => {
    const knock = await route(createRateLimit(deps, "notices", allowance));
    for (let n = 0; n < 3; n += 1) expect((await knock(403)).status).toBe(403);
    const refused = await knock(200);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"]);
    expect(limited).toContain("notices");
    expect((await knock(200, "192.0.2.2")).status).toBe(200);
    time.now += 2_000;
    expect((await knock(200)).status).toBe(200);
  });

  test("lets a session with an earlier page continue, even behind an address with many failures", async () => {
    const limit = createRateLimit(deps, "course", allowance, (request) => request.get("x-proof") ?? null);
    const knock = await route(limit);
    const from = "192.0.2.7";
    expect((await knock(200, from, undefined, "Ada's")).status).toBe(200);
    for (let n = 0; n < 3; n += 1) expect((await knock(401, from)).status).toBe(401);
    expect((await knock(200, from, undefined, "Ada's")).status).toBe(200);
    expect((await knock(200, from, undefined, "made up")).status).toBe(429);
    expect((await knock(200, from)).status).toBe(429);
  });

  test("counts even those who do not wait for the answer", async () => {
    const limit = createRateLimit(deps, "notices", allowance);
    let knocks = 0;
    let answered = 0;
    const app = express();
    app.use(limit, (_request: Request, response: Response) => {
      knocks += 1;
      response.once("close", () => {
        response.status(403).end();
        answered += 1;
      });
    });
    app.use((thrown: { status: number }, _request: Request, response: Response, _next: NextFunction) => {
      response.status(thrown.status).end();
    });
    const knock = await listening(app);
    for (let n = 1; n <= 3; n += 1) {
      const leaving = new AbortController();
      const asked = knock(403, "192.0.2.1", leaving.signal).catch(() => "gone");
      await vi.waitFor(() => expect(knocks).toBe(n), 30_000);
      leaving.abort();
      expect(await asked).toBe("gone");
      await vi.waitFor(() => expect(answered).toBe(n), 30_000);
    }
    expect((await knock(403)).status).toBe(429);
  });

  test("lets in any number of people from one address who do nothing wrong", async () => {
    const knock = await route(createRateLimit(deps, "notices", allowance));
    for (let n = 0; n < 60; n += 1) expect((await knock(200)).status).toBe(200);
    for (let n = 0; n < 20; n += 1) expect((await knock(503)).status).toBe(503);
  });

  test("counts an IPv6 network as one address, and keeps others apart", async () => {
    const knock = await route(createRateLimit(deps, "notices", allowance));
    for (const host of ["1", "2", "3"]) await knock(403, `2001:db8:1:2::${host}`);
    expect((await knock(403, "2001:db8:1:2:aaaa::9")).status).toBe(429);
    expect((await knock(403, "2001:db8:1:3::1")).status).toBe(403);
  });

  test("logs one line for a flood, without the address", async () => {
    lines.length = 0;
    time.now += 120_000;
    const knock = await route(createRateLimit(deps, "calendar", allowance));
    for (let n = 0; n < 20; n += 1) await knock(404, "198.51.100.77");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"door":"calendar"');
    expect(lines[0]).not.toContain("198.51.100");
  });
});

import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { type RunningTool, startTool } from "../../../src/compose.ts";
import { readConfig } from "../../../src/config.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { databaseFolder, freePort } from "../../../sandbox/tool-process.ts";
import { createVisitor, type Seen, type Visitor } from "../../../sandbox/visitor.ts";

export const rightPassword = "correct horse battery staple";

/** What a browser received. */
export type Answer = { status: number; headers: Headers; location: string | null; text: string };

/** The tool in this process, with its console, a clock that can be moved and its own database. */
export type ConsoleTool = {
  url: string;
  /** A second process may be started on the same data. */
  databaseUrl: string;
  /** Its environment. */
  variables: Record<string, string>;
  /** How far its clock is ahead (ms). */
  ahead: () => number;
  /** Moves the tool's clock forward (ms). */
  pass: (ms: number) => void;
  /** Everything logged so far, debug lines included. */
  logged: () => string;
  /** Starts the tool again on the same data, with other variables if given. */
  restart: (variables?: Record<string, string>) => Promise<void>;
  close: () => Promise<void>;
};

/** @param variables In addition to the required ones; ADMIN_PASSWORD is `rightPassword`, and "" switches the console off. */
export async function startConsoleTool(variables: Record<string, string> = {}): Promise<ConsoleTool> {
  const folder = await databaseFolder();
  const port = await freePort();
  const time = { ahead: 0 };
  const clock: Clock = { now: () => Date.now() + time.ahead, sleep: systemClock.sleep };
  let logged = "";
  const logger = createLogger("debug", {
    write: (line) => {
      logged += line;
    },
  });
  const environment: Record<string, string> = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORT: String(port),
    SECRET_KEY: randomBytes(48).toString("base64"),
    DATABASE_URL: `file:${folder}`,
    CLASSROOM_BASE_URL: "http://127.0.0.1:9",
    CLASSROOM_APP_URL: "http://127.0.0.1:9",
    CLASSROOM_API_KEY: "an-api-key-nobody-uses",
    CLASSROOM_WEBHOOK_SECRET: "a-webhook-secret-nobody-uses",
    ALLOW_PRIVATE_PLATFORMS: "1",
    ADMIN_PASSWORD: rightPassword,
    ...variables,
  };
  const start = () => startTool(readConfig(environment), { logger, clock });
  let tool: RunningTool = await start();
  return {
    url: `http://127.0.0.1:${port}`,
    databaseUrl: environment["DATABASE_URL"] ?? "",
    variables: environment,
    ahead: () => time.ahead,
    pass: (ms) => {
      time.ahead += ms;
    },
    logged: () => logged,
    restart: async (changed = {}) => {
      await tool.stop();
      Object.assign(environment, changed);
      tool = await start();
    },
    close: async () => {
      await tool.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens an address as a browser with this cookie; redirects are shown, not followed. */
export async function get(url: string, cookie = "", headers: Record<string, string> = {}): Promise<Answer> {
  return toAnswer(
    await fetch(url, {
      redirect: "manual",
      headers: { accept: "text/html", ...(cookie === "" ? {} : { cookie }), ...headers },
    }),
  );
}

/** Submits a form as a browser does from a page of the tool, unless the headers say otherwise. */
export async function send(
  url: string,
  fields: Record<string, string>,
  cookie = "",
  headers: Record<string, string> = {},
): Promise<Answer> {
  return toAnswer(
    await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        accept: "text/html",
        origin: new URL(url).origin,
        "sec-fetch-site": "same-origin",
        ...(cookie === "" ? {} : { cookie }),
        ...headers,
      },
      body: new URLSearchParams(fields),
    }),
  );
}

/** Logs in. @returns the cookie and the token that forms must carry. */
export async function logIn(
  url: string,
  password = rightPassword,
): Promise<{ cookie: string; form: string }> {
  const answer = await send(`${url}/admin`, { password });
  if (answer.status !== 303) throw new Error(`the log-in answered ${answer.status}: ${answer.text}`);
  const cookie = cookieOf(answer);
  const page = await get(`${url}/admin/registrations`, cookie);
  return { cookie, form: /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? "" };
}

/** The "name=value" of the cookie an answer sets. */
export function cookieOf(answer: Answer): string {
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

async function toAnswer(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, headers, location: headers.get("location"), text: await response.text() };
}

/** An operator's browser that is logged in. */
export async function operatorAt(toolUrl: string, password = rightPassword): Promise<Visitor> {
  const operator = createVisitor();
  const entered = await operator.submit(await operator.open(`${toolUrl}/admin`), { fields: { password } });
  if (entered.status !== 303) throw new Error(`the log-in answered ${entered.status}: ${entered.text}`);
  return operator;
}

/** Opens the page that a redirect leads to. @throws with the page's text when the response is no redirect */
export function follow(visitor: Visitor, { status, location, text }: Seen): Promise<Seen> {
  if (status !== 303 || location === null) throw new Error(`no redirect, but ${status}: ${text}`);
  return visitor.open(location);
}

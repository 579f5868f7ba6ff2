import { existsSync } from "node:fs";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { listen } from "../../sandbox/listen.ts";
import { problemsOf } from "../../src/cli/init.ts";
import { readConfig } from "../../src/config.ts";
import { freePort } from "../../sandbox/tool-process.ts";
import { rightVariables, runNode } from "../support/tool/run-cli.ts";
import { folderForAll } from "../support/folders.ts";

const source = fileURLToPath(new URL("../../src/", import.meta.url));
/** The tool as one file if the gate has built one, which starts with half the CPU time. */
const program = process.env["TOOL_PROGRAM"] ?? `${source}main.ts`;

const folder = await folderForAll();

/** A correct environment. */
function good(more: Record<string, string> = {}): Record<string, string> {
  return { ...rightVariables(folder), PORT: "0", ...more };
}

function startMain(variables: Record<string, string>) {
  return runNode([program], variables, folder);
}

/** Whether anybody listens on a port of this machine. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => {
      resolve(false);
    });
  });
}

describe("starting the tool", () => {
  test("with a bad environment lists every problem without values, and does not listen", async () => {
    const port = await freePort();
    const { code, out, err } = await startMain({
      PUBLIC_URL: "http://tool.example/Hush-1",
      PORT: String(port),
      TRUST_PROXY: "Hush-2",
      SECRET_KEY: "Hush-3",
      SECRET_KEY_PREVIOUS: "Hush-4",
      DATABASE_URL: "postgres://Hush-5",
      CLASSROOM_BASE_URL: "Hush-6",
      CLASSROOM_API_KEY: "Hush-7",
      CLASSROOM_STAGING_APP_URL: "https://ada:Hush-8@app.example",
      CLASSROOM_STAGING_WEBHOOK_SECRET: "Hush-9 Hush-9",
      ADMIN_PASSWORD: "Hush-10",
      ALLOW_PRIVATE_PLATFORMS: "Hush-11",
      LOG_LEVEL: "Hush-12",
    });
    expect(code).toBe(2);
    const named = [...err.matchAll(/^ {2}- (\w+) /gm)].map((match) => match[1]);
    expect(named.sort()).toEqual(
      [
        "ADMIN_PASSWORD",
        "ALLOW_PRIVATE_PLATFORMS",
        "CLASSROOM_API_KEY",
        "CLASSROOM_APP_URL",
        "CLASSROOM_BASE_URL",
        "CLASSROOM_STAGING_API_KEY",
        "CLASSROOM_STAGING_APP_URL",
        "CLASSROOM_STAGING_BASE_URL",
        "CLASSROOM_STAGING_WEBHOOK_SECRET",
        "CLASSROOM_WEBHOOK_SECRET",
        "DATABASE_URL",
        "LOG_LEVEL",
        "PUBLIC_URL",
        "SECRET_KEY",
        "SECRET_KEY_PREVIOUS",
        "TRUST_PROXY",
      ].sort(),
    );
    expect(err).toContain("The configuration has 16 problem(s):");
    expect(out + err).not.toContain("Hush");
    expect(err).not.toMatch(/^ {4}at /m);
    expect(await listens(port)).toBe(false);
  });

  test("with no environment at all names everything that is needed", async () => {
    const { code, err } = await startMain({});
    expect(code).toBe(2);
    expect(err).toMatch(/PUBLIC_URL is missing/);
    expect(err).toMatch(/SECRET_KEY is missing; make one with/);
    expect(err).toMatch(/CLASSROOM_BASE_URL, .* are missing/);
  });

  test.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    [
      "a database folder that cannot be created",
      async () => {
        await writeFile(join(folder, "a-file"), "");
        return { DATABASE_URL: `file:${join(folder, "a-file", "inside")}` };
      },
      /a-file/,
    ],
    [
      "a dialect that is not JSON",
      async () => {
        await writeFile(join(folder, "broken.json"), "{ oh");
        return { CLASSROOM_DIALECT: join(folder, "broken.json") };
      },
      /CLASSROOM_DIALECT.*broken\.json/,
    ],
    [
      "a dialect with an unknown word",
      async () => {
        await writeFile(join(folder, "odd.json"), '{ "apikey": {} }');
        return { CLASSROOM_DIALECT: join(folder, "odd.json") };
      },
      /CLASSROOM_DIALECT[^]*apikey/,
    ],
  ])("with %s says so without a stack", async (_what, prepare, words) => {
    const { code, err } = await startMain(good({ LOG_LEVEL: "silent", ...(await prepare()) }));
    expect(code).toBe(2);
    expect(err).toMatch(words);
    expect(err).not.toMatch(/^ {4}at /m);
    expect(err.trim().split("\n").length).toBeLessThanOrEqual(4);
  });

  test("on a port that is in use says so in one line", async () => {
    const server = createServer();
    const port = await listen(server, 0, "0.0.0.0");
    try {
      const { code, err } = await startMain(good({ PORT: String(port), LOG_LEVEL: "silent" }));
      expect(code).toBe(2);
      const [, reason = "", ...rest] = err.trim().split("\n");
      expect(rest).toEqual([]);
      expect(reason).toContain(String(port));
    } finally {
      server.close();
    }
  });

  test.each(["18.0.0", "20.19.0", "22.22.2", "23.11.1", "24.14.1"])(
    "under Node.js %s says what is needed in one line",
    async (version) => {
      const bare = join(folder, `bare-${version}`);
      await mkdir(join(bare, "src"), { recursive: true });
      await copyFile(`${source}run.mjs`, join(bare, "src", "run.mjs"));
      await writeFile(join(bare, "src", "entry.mjs"), 'console.log("the entry ran");');
      const pretend = `Object.defineProperty(process.versions, "node", { value: "${version}" });`;
      const { code, out, err } = await runNode(
        [
          "--import",
          `data:text/javascript,${encodeURIComponent(pretend)}`,
          join(bare, "src", "run.mjs"),
          join(bare, "src", "entry.mjs"),
        ],
        {},
        folder,
      );
      expect(code).toBe(2);
      expect(out).toBe("");
      expect(err.trim().split("\n")).toHaveLength(1);
      expect(err).toContain("24.15");
      expect(err).toContain(version);
    },
  );
});

test.each(["3.51.2", "3.9.0"])("the embedded database is not opened by SQLite %s", async (version) => {
  const pretend = `Object.defineProperty(process.versions, "sqlite", { value: "${version}" });`;
  const url = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const settings = good({ DATABASE_URL: `file:${join(folder, "old-sqlite")}`, LOG_LEVEL: "silent" });
  const { code, err } = await runNode(["--import", url, program], settings, folder);
  expect(code).toBe(2);
  const [, reason, ...rest] = err.trim().split("\n");
  expect(rest).toEqual([]);
  expect(reason).toContain(`SQLite ${version}`);
  expect(existsSync(join(folder, "old-sqlite"))).toBe(false);
});

describe("the configuration", () => {
  test("is accepted when everything is right", () => expect(problemsOf(good())).toEqual([]));

  test("treats an empty variable as not set", () => {
    expect(problemsOf(good({ ADMIN_PASSWORD: "", CLASSROOM_STAGING_API_KEY: "" }))).toEqual([]);
    expect(problemsOf(good({ SECRET_KEY: "" }))).toEqual([expect.stringMatching(/^SECRET_KEY is missing/)]);
  });

  test.each([
    ["SECRET_KEY", "# openssl rand -base64 48 gives one of these"],
    ["SECRET_KEY", "a-secret-key-of-at-least-thirty-two-bytes # keep this"],
    ["ADMIN_PASSWORD", "# at least 12 characters"],
  ])("refuses a comment after the value of %s, which Docker's --env-file would keep", (name, value) => {
    expect(problemsOf(good({ [name]: value }))).toEqual([
      `${name} must not be followed by a comment: put that on a separate line`,
    ]);
  });

  test.each(["http://tool.example", "HTTP://tool.example", "http://127.0.0.1:3000"])(
    "refuses %s as the public address, unless private platforms are allowed",
    (address) => {
      expect(problemsOf(good({ PUBLIC_URL: address }))).toEqual([
        expect.stringMatching(/^PUBLIC_URL .*https/),
      ]);
      expect(problemsOf(good({ PUBLIC_URL: address, ALLOW_PRIVATE_PLATFORMS: "1" }))).toEqual([]);
    },
  );

  test.each([
    ["https://tool.example/", "https://tool.example"],
    ["HTTPS://Tool.Example:443//", "https://tool.example"],
    [" https://tool.example:8443 ", "https://tool.example:8443"],
  ])("reads the public address %j as %j", (given, kept) => {
    expect(readConfig(good({ PUBLIC_URL: given })).publicUrl).toBe(kept);
  });

  test("refuses a public address with a path, and says why", () => {
    expect(problemsOf(good({ PUBLIC_URL: "https://tool.example/spaces" }))).toEqual([
      expect.stringMatching(/^PUBLIC_URL must have no path: .* separate host name/),
    ]);
  });

  test("uses Node's variables for an outgoing proxy when Node does", () => {
    const proxy = { HTTPS_PROXY: "http://proxy.example:3128", no_proxy: "lms.example" };
    expect(readConfig(good({ ...proxy, NODE_USE_ENV_PROXY: "1" })).outgoingProxy).toEqual(proxy);
    expect(readConfig(good(proxy)).outgoingProxy).toBeNull();
  });

  test.each([
    "tool.example",
    "ftp://tool.example",
    "https://ada:pw@tool.example",
    "https://t.example?a=1",
    "https://t.example#x",
  ])("refuses %s as an address", (address) => {
    expect(problemsOf(good({ CLASSROOM_APP_URL: address })).join()).toMatch(/^CLASSROOM_APP_URL must/);
  });

  test.each<[string, string]>([
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "http"],
    ["ALARM_UNSENT_MINUTES", "0"],
    ["ALARM_UNSENT_MINUTES", "an hour"],
    ["CLASSROOM_WEBHOOK_SECRET", "has some spaces"],
    ["CLASSROOM_WEBHOOK_SECRET", "sécret-with-accent"],
    ["CLASSROOM_API_KEY", "two\nlines-of-key"],
    ["CLASSROOM_API_KEY", "short"],
    ["SECURITY_CONTACT", "the help desk"],
    ["SECURITY_CONTACT", "http://university.example/report"],
    ["SECURITY_CONTACT", "security@university.example\nPolicy: https://elsewhere.example"],
    ["SECURITY_POLICY", "http://university.example/report"],
    ["PRIVACY_URL", "university.example/privacy"],
    ["TERMS_URL", "http://university.example/terms"],
    ...["30", "-1", "1.5", "a year"].map((days): [string, string] => ["RETENTION_DAYS", days]),
    ["TRUST_PROXY", "nginx"],
    ["TRUST_PROXY", "10.0.0.0/33"],
    ["TRUST_PROXY", "10.0.0.1,"],
  ])("refuses %s=%j", (variable, value) => {
    const problems = problemsOf(good({ SECURITY_CONTACT: "security@university.example", [variable]: value }));
    expect(problems.join()).toMatch(new RegExp(`^${variable} must`));
  });

  test.each([
    ["SMTP_URL", "mail.example:587"],
    ["SMTP_URL", "https://mail.example"],
    ["SMTP_URL", "smtp://"],
    ["SMTP_URL", "smtp://user@mail.example"],
    ["SMTP_URL", "smtp://mail.example/path"],
    ["SMTP_URL", "smtps://user:secret@mail.example?tls.rejectUnauthorized=false"],
    ["SMTP_URL", "smtps://mail.example#x"],
    ["SMTP_URL", "smtps://us%er:secret@mail.example"],
    ["SMTP_URL", "smtps://mail.example # the relay"],
    ["MAIL_FROM", "the classroom"],
    ["MAIL_FROM", "Classroom <classroom@university.example>\r\nBcc: all@university.example"],
    ["MAIL_PER_MINUTE", "0"],
    ["MAIL_PER_MINUTE", "many"],
    ["ALARM_MAIL_TO", "ops@university.example, nobody"],
    ["ALARM_MAIL_TO", "ops@university.example;eve@university.example"],
    ["ALARM_MAIL_LANGUAGE", "klingon"],
  ])("refuses %s=%j, without repeating any of it", (variable, value) => {
    const mail = { SMTP_URL: "smtps://mail.example", MAIL_FROM: "classroom@university.example" };
    const problems = problemsOf(good({ ...mail, [variable]: value }));
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${variable} must`))]);
    expect(problems.join()).not.toContain("secret@");
  });

  test("accepts a mail server by its address alone, but never another machine's without TLS", () => {
    const server = (SMTP_URL: string, more: Record<string, string> = {}) =>
      readConfig(good({ SMTP_URL, MAIL_FROM: "Classroom <classroom@university.example>", ...more })).mail
        ?.server;
    expect(server("smtps://tool%40example:p%3Aw@mail.example")).toEqual({
      host: "mail.example",
      port: 465,
      secure: true,
      requireTls: false,
      login: { user: "tool@example", password: "p:w" },
    });
    expect(server("smtp://mail.example")).toMatchObject({ port: 587, requireTls: true, login: null });
    expect(server("smtp://127.0.0.1:25")).toMatchObject({ port: 25, requireTls: false });
    expect(server("smtp://[::1]:25")).toMatchObject({ host: "::1", requireTls: false });
    expect(server("smtp://localhost.evil.example")).toMatchObject({ requireTls: true });
    expect(server("smtp://mail.example", { ALLOW_PRIVATE_PLATFORMS: "1" })).toMatchObject({
      requireTls: false,
    });
  });

  test("says which mail variables need each other", () => {
    expect(problemsOf(good({ SMTP_URL: "smtps://mail.example" }))).toEqual([
      expect.stringMatching(/^MAIL_FROM is missing/),
    ]);
    expect(problemsOf(good({ ALARM_MAIL_TO: "ops@university.example" }))).toEqual([
      "SMTP_URL is missing, and ALARM_MAIL_TO is set",
    ]);
    expect(readConfig(good()).mail).toBeNull();
  });

  test.each([
    ["security@university.example", "mailto:security@university.example"],
    ["mailto:security@university.example", "mailto:security@university.example"],
    ["https://university.example/report", "https://university.example/report"],
    ["tel:+49-30-1234", "tel:+49-30-1234"],
  ])("reads SECURITY_CONTACT=%s as %s", (given, kept) => {
    expect(readConfig(good({ SECURITY_CONTACT: given })).securityContact).toBe(kept);
  });

  test("keeps data forever unless RETENTION_DAYS says how long", () => {
    for (const [given, days] of Object.entries({ "": 0, "0": 0, "1095": 1095 }))
      expect(readConfig(good({ RETENTION_DAYS: given })).retentionDays).toBe(days);
  });

  test.each<[string, boolean | number | string]>([
    ["2", 2],
    ["false", false],
    ["loopback, 10.0.0.0/8, fd00::/8, 192.0.2.7", "loopback, 10.0.0.0/8, fd00::/8, 192.0.2.7"],
  ])("reads TRUST_PROXY=%s", (given, kept) => {
    expect(readConfig(good({ TRUST_PROXY: given })).trustProxy).toBe(kept);
  });

  test("refuses to trust every client's address in production, but allows it in development", () => {
    expect(problemsOf(good({ TRUST_PROXY: "true" }))).toEqual([
      expect.stringMatching(/^TRUST_PROXY must not be true .*set the number of proxies/),
    ]);
    expect(readConfig(good({ TRUST_PROXY: "true", ALLOW_PRIVATE_PLATFORMS: "1" })).trustProxy).toBe(true);
  });

  test("refuses calls without checks of certificates", () => {
    expect(problemsOf(good({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }))).toEqual([
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED must not be 0 .*NODE_EXTRA_CA_CERTS/),
    ]);
  });

  test.each([
    ["SECRET_KEY", "a".repeat(40)],
    ["SECRET_KEY", "changeme".repeat(5)],
    ["SECRET_KEY", "your-secret-key-here-please-change-this"],
    ["CLASSROOM_WEBHOOK_SECRET", "password"],
    ["CLASSROOM_WEBHOOK_SECRET", "webhook-secret-123"],
    ["CLASSROOM_WEBHOOK_SECRET", "short-0ne"],
    ["ADMIN_PASSWORD", "administrator"],
    ["ADMIN_PASSWORD", "123456789012"],
    ["METRICS_TOKEN", "abcabcabcabcabcabc"],
  ])("refuses %s=%s in production, with a way to make one, but allows it in development", (name, value) => {
    const [problem, ...others] = problemsOf(good({ [name]: value }));
    expect(problem).toMatch(new RegExp(`^${name} (must|is|has|repeats) [^;]+; make one with: openssl rand`));
    expect(others).toEqual([]);
    expect(problem ?? "").not.toContain(value);
    expect(problemsOf(good({ [name]: value, ALLOW_PRIVATE_PLATFORMS: "1" }))).toEqual([]);
  });

  test("accepts a weak webhook secret as the previous one, so that it can be changed", () => {
    expect(problemsOf(good({ CLASSROOM_WEBHOOK_SECRET_PREVIOUS: "password" }))).toEqual([]);
  });

  test.each(["CLASSROOM_BASE_URL", "CLASSROOM_APP_URL"])(
    "refuses plain http for %s in production, except to this machine itself",
    (name) => {
      expect(problemsOf(good({ [name]: "http://api.example" }))).toEqual([
        expect.stringMatching(new RegExp(`^${name} must start with https:// .*in clear`)),
      ]);
      for (const address of ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"])
        expect(problemsOf(good({ [name]: address }))).toEqual([]);
      expect(problemsOf(good({ [name]: "http://api.example", ALLOW_PRIVATE_PLATFORMS: "1" }))).toEqual([]);
    },
  );

  test("warns when anybody may read the metrics", async () => {
    const token = "3b9d1c7e5f2a4680";
    expect(readConfig(good({ METRICS_TOKEN: token })).warnings).toEqual([]);
    expect(readConfig(good()).warnings).toEqual([expect.stringMatching(/^METRICS_TOKEN is not set/)]);
    // It comes first, even from a tool that cannot start.
    const { code, out } = await startMain(good({ DATABASE_URL: "file://" }));
    expect(code).toBe(2);
    expect(out).toMatch(/"level":"warn".*METRICS_TOKEN is not set/);
  });
});

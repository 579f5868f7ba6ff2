import { z } from "zod";
import { type MailConfig, readMail } from "./config-mail.ts";
import { type OidcConfig, readOidc } from "./modules/operations/rules/console-access.ts";
import { riskySettings, trustProxy, unsafeSettings } from "./config-safety.ts";
import { readSecretFiles } from "./config-secret-files.ts";
import { languages } from "./web/translate.ts";
import type { ClassroomAccount } from "./classroom/account.ts";
import { type BuiltInAccount, headerSecret, noOwnLimits, webAddress } from "./domain/account.ts";

/** All configuration, checked once. */
export type Config = {
  /** Where browsers and the LMS reach the tool, without a trailing slash. */
  publicUrl: string;
  port: number;
  /** Express's "trust proxy": false, a number of hops, or a list of addresses. */
  trustProxy: boolean | number | string;
  secretKey: string;
  secretKeyPrevious: string | undefined;
  databaseUrl: string;
  /** Production and staging, if variables describe them. */
  builtInAccounts: readonly ClassroomAccount[];
  /** Path of a JSON file that overrides the dialect, or the name of a dialect that comes with this tool. */
  dialectFile: string | undefined;
  /** The variables of a proxy for all outgoing calls (NODE_USE_ENV_PROXY); null without a proxy. */
  outgoingProxy: Readonly<Record<string, string>> | null;
  adminPassword: string | undefined;
  /** Where operators log in under their name; null for nowhere. The console needs this, a password, or both. */
  oidc: OidcConfig | null;
  /** Null: the tool sends no mail. */
  mail: MailConfig | null;
  allowPrivatePlatforms: boolean;
  /** From this age of the oldest unsent score on (minutes), there is an alarm. */
  alarmUnsentMinutes: number;
  /** If no webhook came for this long after the end of sessions (hours), there is an alarm. */
  alarmNoWebhookHours: number;
  /** The bearer token for /metrics; undefined: anybody may read them. */
  metricsToken: string | undefined;
  /** Where to report a security problem, for /.well-known/security.txt; undefined: there is no such file. */
  securityContact: string | undefined;
  /** The page that says how reports are handled. */
  securityPolicy: string | undefined;
  /** The operator's privacy policy and terms of use, for LMSs that register the tool. */
  privacyUrl: string | undefined;
  termsUrl: string | undefined;
  /** Courses that nobody opened for this many days are erased; 0: never. */
  retentionDays: number;
  logLevel: string;
  /** Whether log lines contain the address of each request and who acts in it, by the tool's own ids. */
  logActors: boolean;
  /** Settings that work but are a bad idea, one sentence each, for the log at the start. */
  warnings: readonly string[];
};

/** What is wrong with the environment. Each problem is one line that names the variable and the remedy. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length} problem(s):\n${problems.map((p) => `  - ${p}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** Some programs, such as docker run --env-file, don't know comments, and leave `# words` in the value. */
const hasNoComment = [
  (text: string) => !/(^|\s)#\s/.test(text),
  "must not be followed by a comment: put that on a separate line",
] as const;
const longSecret = z
  .string({ error: "is missing; make one with: openssl rand -base64 48" })
  .refine(...hasNoComment)
  .refine(
    (text) => Buffer.byteLength(text) >= 32,
    "must be at least 32 random bytes; make one with: openssl rand -base64 48",
  );
const httpsAddress = z
  .string()
  .trim()
  .regex(/^https:\/\/[^\s/]\S*$/, "must be a full https address");

const wholeNumber = (unit: string, usual: string) =>
  z
    .string()
    .default(usual)
    .refine((text) => /^[1-9]\d{0,3}$/.test(text), `must be a whole number of ${unit}, from 1 to 9999`)
    .transform(Number);

/** Node reads these for its own calls (LMSs, the login's provider). The classroom's connections are ours. */
const proxyVariables = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];

const settings = z.object({
  PUBLIC_URL: webAddress.refine(
    (text) => !URL.canParse(text) || new URL(text).pathname === "/",
    "must have no path: pages, cookies and addresses begin at the root of a host; give the tool a separate host name, such as https://classroom.example.edu",
  ),
  PORT: z
    .string()
    .default("3000")
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, "must be a port number (0 to 65535)")
    .transform(Number),
  TRUST_PROXY: trustProxy,
  SECRET_KEY: longSecret,
  SECRET_KEY_PREVIOUS: longSecret.optional(),
  DATABASE_URL: z
    .string()
    .default("file:./data")
    .refine(
      (text) => /^(file:.+|mongodb(\+srv)?:\/\/.+)/.test(text),
      "must be file:<folder> or mongodb://...",
    ),
  CLASSROOM_DIALECT: z.string().optional(),
  CLASSROOM_ACCOUNTS: z.enum(["stored"], { error: "must be stored, or left out" }).optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(12, "must have at least 12 characters")
    .refine(...hasNoComment)
    .optional(),
  // Keeps its trailing slash, because tokens repeat the issuer letter by letter.
  OIDC_ISSUER: z
    .string()
    .refine(
      (text) => webAddress.safeParse(text).success,
      "must be a full https address without query or fragment, as the provider names itself",
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z
    .string()
    .refine(...hasNoComment)
    .optional(),
  OIDC_OPERATORS: z.string().optional(),
  OIDC_READERS: z.string().optional(),
  OIDC_REGISTRARS: z.string().optional(),
  OIDC_ADVISERS: z.string().optional(),
  OIDC_GROUPS_CLAIM: z.string().default("groups"),
  OIDC_SCOPES: z
    .string()
    .default("openid email")
    .refine((text) => text.split(" ").includes("openid"), "must have openid among its words"),
  SMTP_URL: z
    .string()
    .refine(...hasNoComment)
    .optional(),
  MAIL_FROM: z.string().optional(),
  MAIL_PER_MINUTE: z
    .string()
    .refine((text) => /^[1-9]\d{0,3}$/.test(text), "must be a whole number of mails, 1 to 9999")
    .transform(Number)
    .optional(),
  ALARM_MAIL_TO: z.string().optional(),
  ALARM_MAIL_LANGUAGE: z
    .string()
    .refine((text) => languages.includes(text), `must be one of ${languages.join(", ")}`)
    .optional(),
  ALLOW_PRIVATE_PLATFORMS: z.enum(["0", "1"], { error: "must be 1 or 0" }).default("0"),
  ALARM_UNSENT_MINUTES: wholeNumber("minutes", "60"),
  ALARM_NO_WEBHOOK_HOURS: wholeNumber("hours", "6"),
  METRICS_TOKEN: z
    .string()
    .min(16, "must have at least 16 characters; make one with: openssl rand -hex 24")
    .regex(/^[\x21-\x7e]*$/, "must be ASCII without spaces or line breaks")
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .trim()
    .transform((text) => (/^[^\s:/@]+@[^\s:/@]+$/.test(text) ? `mailto:${text}` : text))
    .refine(
      (text) => /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*|tel:\+[\d-]+)$/.test(text),
      "must be an e-mail address, an https address or tel:+...",
    )
    .optional(),
  SECURITY_POLICY: httpsAddress.optional(),
  PRIVACY_URL: httpsAddress.optional(),
  TERMS_URL: httpsAddress.optional(),
  RETENTION_DAYS: z
    .string()
    .default("0")
    // Webhooks are stored for 90 days, and what they are about must stay as long.
    .refine(
      (text) => /^(0|\d{2,5})$/.test(text) && (text === "0" || Number(text) >= 90),
      "must be 0 (keep courses until somebody erases them) or a whole number of days, at least 90",
    )
    .transform(Number),
  LOG_ACTORS: z.enum(["on", "off"], { error: "must be on or off" }).default("off"),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be fatal, error, warn, info, debug, trace or silent",
    })
    .default("info"),
});

const environmentSettings = z.object({
  BASE_URL: webAddress,
  APP_URL: webAddress,
  API_KEY: headerSecret,
  WEBHOOK_SECRET: headerSecret,
  WEBHOOK_SECRET_PREVIOUS: headerSecret.optional(),
});

/**
 * Reads and checks the environment before anything uses it, so all problems are reported together, before the tool listens. Reads files
 * with secrets, once.
 * @throws ConfigError with one line for each problem, without values of variables.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  // `FOO=` in a .env file makes an empty variable; people mean "not set".
  const set = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== "" && value !== undefined),
  );
  const files = readSecretFiles(set);
  const { given } = files;
  const problems: string[] = [];
  const main = settings.safeParse(given);
  if (!main.success) problems.push(...problemLines(main.error, ""));
  const { oidc, problems: oidcProblems } = main.success ? readOidc(main.data) : { oidc: null, problems: [] };
  const { mail, problems: mailProblems } = main.success ? readMail(main.data) : { mail: null, problems: [] };
  problems.push(...oidcProblems, ...mailProblems);
  const isDevelopment = given.ALLOW_PRIVATE_PLATFORMS === "1";
  const builtInAccounts = readBuiltInAccounts(given, problems);
  if (given.SECURITY_POLICY !== undefined && given.SECURITY_CONTACT === undefined)
    problems.push("SECURITY_POLICY is not shown without SECURITY_CONTACT; set that, too");
  if (!isDevelopment) problems.push(...notYetMentioned(problems, unsafeSettings(given)));
  const told = [...files.problems, ...files.of(problems)];
  told.push(...missingAccounts(told, builtInAccounts.length, given));
  if (!main.success || told.length > 0) throw new ConfigError(told);
  const parsed = main.data;
  return Object.freeze({
    publicUrl: parsed.PUBLIC_URL,
    port: parsed.PORT,
    trustProxy: parsed.TRUST_PROXY,
    secretKey: parsed.SECRET_KEY,
    secretKeyPrevious: parsed.SECRET_KEY_PREVIOUS,
    databaseUrl: parsed.DATABASE_URL,
    builtInAccounts: Object.freeze(builtInAccounts),
    dialectFile: parsed.CLASSROOM_DIALECT,
    outgoingProxy:
      given.NODE_USE_ENV_PROXY === "1"
        ? Object.fromEntries(
            Object.entries(given).filter((one): one is [string, string] => proxyVariables.includes(one[0])),
          )
        : null,
    adminPassword: parsed.ADMIN_PASSWORD,
    oidc,
    mail,
    allowPrivatePlatforms: parsed.ALLOW_PRIVATE_PLATFORMS === "1",
    alarmUnsentMinutes: parsed.ALARM_UNSENT_MINUTES,
    alarmNoWebhookHours: parsed.ALARM_NO_WEBHOOK_HOURS,
    metricsToken: parsed.METRICS_TOKEN,
    securityContact: parsed.SECURITY_CONTACT,
    securityPolicy: parsed.SECURITY_POLICY,
    privacyUrl: parsed.PRIVACY_URL,
    termsUrl: parsed.TERMS_URL,
    retentionDays: parsed.RETENTION_DAYS,
    logLevel: parsed.LOG_LEVEL,
    logActors: parsed.LOG_ACTORS === "on",
    warnings: isDevelopment
      ? [
          "ALLOW_PRIVATE_PLATFORMS=1: LMS addresses may be private and plain http, secrets weak. For development only.",
        ]
      : riskySettings(given),
  });
}

/** There must be at least one classroom. Empty if other problems about its variables are reported already. */
function missingAccounts(
  told: readonly string[],
  builtIn: number,
  given: Readonly<Record<string, string | undefined>>,
): string[] {
  const named = told.some((problem) => problem.startsWith("CLASSROOM_"));
  if (named || builtIn > 0 || given.CLASSROOM_ACCOUNTS === "stored") return [];
  return [
    "CLASSROOM_BASE_URL, CLASSROOM_APP_URL, CLASSROOM_API_KEY, CLASSROOM_WEBHOOK_SECRET are missing (or the same with CLASSROOM_STAGING_; or set CLASSROOM_ACCOUNTS=stored where all classroom accounts are added later)",
  ];
}

/** Problems of variables that have none so far, because one line about each is enough. */
function notYetMentioned(problems: readonly string[], more: readonly string[]): string[] {
  const variableOf = (problem: string) => problem.split(" ", 1)[0];
  const mentioned = new Set(problems.map(variableOf));
  return more.filter((problem) => !mentioned.has(variableOf(problem)));
}

/** The built-in accounts that variables describe. Adds what is wrong with them to `problems`. */
function readBuiltInAccounts(given: Readonly<Record<string, string | undefined>>, problems: string[]) {
  const accounts: ClassroomAccount[] = [];
  const prefixes: readonly (readonly [BuiltInAccount, string])[] = [
    ["production", "CLASSROOM_"],
    ["staging", "CLASSROOM_STAGING_"],
  ];
  for (const [id, prefix] of prefixes) {
    const part = Object.fromEntries(
      Object.keys(environmentSettings.shape)
        .filter((key) => given[prefix + key] !== undefined)
        .map((key) => [key, given[prefix + key]]),
    );
    if (Object.keys(part).length === 0) continue;
    const parsed = environmentSettings.safeParse(part);
    if (!parsed.success) {
      problems.push(...problemLines(parsed.error, prefix));
      continue;
    }
    const { BASE_URL, APP_URL, API_KEY, WEBHOOK_SECRET, WEBHOOK_SECRET_PREVIOUS } = parsed.data;
    accounts.push({
      id,
      name: id === "production" ? "Production" : "Staging",
      stage: id,
      baseUrl: BASE_URL,
      appUrl: APP_URL,
      apiKey: API_KEY,
      webhookSecrets: [
        WEBHOOK_SECRET,
        ...(WEBHOOK_SECRET_PREVIOUS === undefined ? [] : [WEBHOOK_SECRET_PREVIOUS]),
      ],
      dialect: null,
      limits: noOwnLimits,
      paused: false,
    });
  }
  return accounts;
}

function problemLines(error: z.ZodError, prefix: string): string[] {
  return error.issues.map((issue) => `${prefix}${issue.path.join(".")} ${issue.message}`);
}

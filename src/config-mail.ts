import { mailAddressOf, namedMailAddress } from "./domain/mails.ts";

/** The server that takes our mail, and the login there. Without it, the tool sends no mail. */
export type MailConfig = {
  server: {
    host: string;
    port: number;
    /** TLS from the start; otherwise STARTTLS begins it. */
    secure: boolean;
    /** Nothing is sent without TLS. Only a server on this machine, or in development, may lack it. */
    requireTls: boolean;
    /** Null: the server requires no login. */
    login: { user: string; password: string } | null;
  };
  from: { name: string; address: string };
  /** How many mails all instances together send in a minute. */
  perMinute: number;
  /** Addresses that get alarms; empty for none. */
  alarmTo: readonly string[];
  /** The language of alarms, such as "de". */
  alarmLanguage: string;
};

type Given = {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  MAIL_PER_MINUTE?: number | undefined;
  ALARM_MAIL_TO?: string | undefined;
  ALARM_MAIL_LANGUAGE?: string | undefined;
  ALLOW_PRIVATE_PLATFORMS: string;
};

const maxAlarmAddresses = 20;
const usualPerMinute = 60;

const needsServer = ["MAIL_FROM", "MAIL_PER_MINUTE", "ALARM_MAIL_TO", "ALARM_MAIL_LANGUAGE"] as const;
const wordings = {
  SMTP_URL:
    "SMTP_URL must be smtps://user:password@host:465 or smtp://user:password@host:587, with special characters in user and password URL-encoded, and nothing after the port",
  MAIL_FROM:
    "MAIL_FROM must be an e-mail address, or a name with one: Online classroom <classroom@university.example>",
  ALARM_MAIL_TO: `ALARM_MAIL_TO must be at most ${maxAlarmAddresses} e-mail addresses, separated by commas`,
};

/** Reads the mail settings; null without SMTP_URL. @returns `problems`: one line each, without values of variables. */
export function readMail(given: Given): { mail: MailConfig | null; problems: string[] } {
  const { SMTP_URL: url, MAIL_FROM: sender, MAIL_PER_MINUTE: perMinute = usualPerMinute } = given;
  const { ALARM_MAIL_LANGUAGE: alarmLanguage = "en" } = given;
  if (url === undefined) {
    const named = needsServer.find((name) => given[name] !== undefined);
    return { mail: null, problems: named === undefined ? [] : [`SMTP_URL is missing, and ${named} is set`] };
  }
  if (sender === undefined)
    return { mail: null, problems: ["MAIL_FROM is missing: the address that mails come from"] };
  const server = serverOf(url, given.ALLOW_PRIVATE_PLATFORMS === "1");
  const from = namedMailAddress(sender);
  const alarmTo = addressesIn(given.ALARM_MAIL_TO ?? "");
  if (server !== null && from !== null && alarmTo !== null)
    return { mail: { server, from, perMinute, alarmTo, alarmLanguage }, problems: [] };
  const read = { SMTP_URL: server, MAIL_FROM: from, ALARM_MAIL_TO: alarmTo } as const;
  const wrong = (["SMTP_URL", "MAIL_FROM", "ALARM_MAIL_TO"] as const).filter((name) => read[name] === null);
  return { mail: null, problems: wrong.map((name) => wordings[name]) };
}

function addressesIn(text: string): string[] | null {
  const parts = text.split(",").filter((one) => one.trim() !== "");
  const addresses = parts.flatMap((one) => mailAddressOf(one) ?? []);
  const isRight = addresses.length === parts.length && addresses.length <= maxAlarmAddresses;
  return isRight ? [...new Set(addresses)] : null;
}

/** Options in the address, such as one that accepts any certificate, are refused rather than ignored. */
function serverOf(text: string, isDevelopment: boolean): MailConfig["server"] | null {
  const url = URL.parse(text.trim());
  if (url === null || !isPlainAddress(url)) return null;
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === null || password === null) return null;
  const isOwnMachine = /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
  const usualPort = secure ? 465 : 587;
  return {
    host,
    secure,
    port: url.port === "" ? usualPort : Number(url.port),
    requireTls: !secure && !isOwnMachine && !isDevelopment,
    login: user === "" ? null : { user, password },
  };
}

function isPlainAddress({ protocol, hostname, pathname, search, hash, username, password }: URL): boolean {
  const hasServer = ["smtp:", "smtps:"].includes(protocol) && hostname !== "";
  const hasNothingElse = ["", "/"].includes(pathname) && search === "" && hash === "";
  return hasServer && hasNothingElse && (username === "") === (password === "");
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

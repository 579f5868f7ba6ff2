import { isIP } from "node:net";
import { z } from "zod";
import { type SecretRule, weaknessOf } from "./modules/operations/rules/console-access.ts";

type Given = Readonly<Record<string, string | undefined>>;

/** Secrets that an operator invents. Previous secrets have no rules, because they must stay usable until they are replaced. */
const secrets: readonly { names: readonly string[]; rule: SecretRule; make: string }[] = [
  { names: ["SECRET_KEY"], rule: { length: 32, different: 10 }, make: "openssl rand -base64 48" },
  {
    names: ["CLASSROOM_WEBHOOK_SECRET", "CLASSROOM_STAGING_WEBHOOK_SECRET"],
    rule: { length: 16, different: 8 },
    make: "openssl rand -hex 24 (the old one stays accepted as ..._PREVIOUS until the classroom has the new one)",
  },
  { names: ["METRICS_TOKEN"], rule: { length: 16, different: 8 }, make: "openssl rand -hex 24" },
  { names: ["ADMIN_PASSWORD"], rule: { length: 12, different: 6 }, make: "openssl rand -base64 18" },
];

const classroomAddresses = ["BASE_URL", "APP_URL"].flatMap((name) => [
  `CLASSROOM_${name}`,
  `CLASSROOM_STAGING_${name}`,
]);

/**
 * What we refuse outside development: plain http to the tool or the classroom, secrets that can be guessed, TLS certificates that aren't
 * verified, and client addresses that any client can spoof.
 * @returns one line for each problem, with the variable and the remedy but no value.
 */
export function unsafeSettings(given: Given): string[] {
  const open =
    URL.parse(given.PUBLIC_URL ?? "")?.protocol === "http:"
      ? [
          "PUBLIC_URL must start with https:// (plain http is possible only with ALLOW_PRIVATE_PLATFORMS=1, for development)",
        ]
      : [];
  const trusting =
    given.TRUST_PROXY === "true"
      ? [
          "TRUST_PROXY must not be true in production: any client could spoof its address and evade limits; set the number of proxies in front, or their addresses",
        ]
      : [];
  const weak = secrets.flatMap(({ names, rule, make }) =>
    names.flatMap((name) => {
      const value = given[name];
      const weakness = value === undefined ? null : weaknessOf(value, rule);
      return weakness === null ? [] : [`${name} ${weakness}; make one with: ${make}`];
    }),
  );
  const clear = classroomAddresses
    .filter((name) => isClearText(given[name]))
    .map(
      (name) =>
        `${name} must start with https:// (the API key and people's logins would travel in clear; plain http is possible only to this machine itself)`,
    );
  const clearLogIn = isClearText(given.OIDC_ISSUER)
    ? ["OIDC_ISSUER must start with https:// (anyone who reads it on the way could log in to the console)"]
    : [];
  const unverified =
    given.NODE_TLS_REJECT_UNAUTHORIZED === "0"
      ? [
          "NODE_TLS_REJECT_UNAUTHORIZED must not be 0 (anyone on the way could pose as an LMS or the classroom); name your own certificate authority in NODE_EXTRA_CA_CERTS",
        ]
      : [];
  return [...open, ...weak, ...clear, ...clearLogIn, ...trusting, ...unverified];
}

/** Settings that work, but are a bad idea in production; one sentence each. */
export function riskySettings(given: Given): string[] {
  return given.METRICS_TOKEN === undefined
    ? [
        "METRICS_TOKEN is not set: anyone who reaches the tool may read /metrics. Set it (openssl rand -hex 24), or block that path in the proxy.",
      ]
    : [];
}

function isClearText(address: string | undefined): boolean {
  const url = URL.parse(address ?? "");
  if (url?.protocol !== "http:") return false;
  return !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/** Which proxies in front of us to trust, in the form Express expects. */
export const trustProxy = z
  .string()
  .default("0")
  .refine(
    (text) => /^(\d{1,2}|true|false)$/.test(text) || text.split(",").every((part) => isProxy(part.trim())),
    "must be a number of proxies, true, false, or addresses and networks such as 10.0.0.0/8, separated by commas",
  )
  .transform((text) => {
    if (/^\d+$/.test(text)) return Number(text);
    return ["true", "false"].includes(text) ? text === "true" : text;
  });

/** Whether Express accepts a text as proxy: one of its names, an address, or a network. */
function isProxy(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  if (bits === undefined)
    return ["loopback", "linklocal", "uniquelocal"].includes(address) || isIP(address) !== 0;
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return rest.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= longest;
}

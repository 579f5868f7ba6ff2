import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { userAgentOf } from "../kernel/build.ts";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Metrics } from "../kernel/metrics.ts";
import { refusal } from "../kernel/refusal.ts";
import { watchedFetch } from "../kernel/outside-reply.ts";

/** The part of `dns.lookup` that we use: finds all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * A `fetch` that only reaches the public internet. It connects to the very address that it resolved and checked, so a name that changes
 * its answer gains nothing. Doesn't follow redirects; bodies are text.
 * @param allowPrivate In development, also plain http, loopback and private addresses.
 * @param userAgent Canvas and the firewalls of some LMSs refuse requests without one.
 */
export function createOutsideFetch(
  allowPrivate: boolean,
  resolveName: Resolve = lookup,
  userAgent = userAgentOf(),
): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = outsideAddress(request.url, allowPrivate, "The LMS's address");
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const send = url.protocol === "https:" ? secureRequest : plainRequest;
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send(url, {
        method: request.method,
        headers: {
          "user-agent": userAgent,
          ...Object.fromEntries(request.headers),
          ...(body === null ? {} : { "content-length": String(body.byteLength) }),
        },
        signal: request.signal,
        ...(allowPrivate ? {} : { lookup: publicLookup(resolveName) }),
      });
      sent.once("response", resolve);
      sent.once("error", reject);
      sent.end(body ?? undefined);
    });
    return toResponse(reply);
  };
}

/** Fails if a name has no public address. */
export const publicLookup =
  (resolve: Resolve = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, "", 0);
        return;
      }
      const usable = found.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (first === undefined) {
        callback(Object.assign(new Error("not a public address"), { code: "EPRIVATE" }), "", 0);
      } else if (options.all === true) {
        callback(null, usable);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };

/** The resolver for host names that people outside entered; undefined uses the machine's. */
export function outsideLookup({ allowPrivatePlatforms }: { allowPrivatePlatforms: boolean }) {
  return allowPrivatePlatforms ? undefined : publicLookup();
}

function toResponse(reply: IncomingMessage): Response {
  const status = reply.statusCode ?? 502;
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  if (status === 204 || status === 205 || status === 304) {
    reply.resume();
    return new Response(null, { status, headers });
  }
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of reply) yield Buffer.from(chunk);
  };
  return new Response(ReadableStream.from(chunks()), { status, headers });
}

const inside = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  inside.addSubnet(network, prefix, "ipv4");
}
// In IPv6, only global unicast counts as outside; addresses that map or tunnel to IPv4 count as inside.
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  inside.addSubnet(network, prefix, "ipv6");
}

/** Whether an IP address isn't loopback, private, link-local, reserved or multicast. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !inside.check(address, "ipv4");
  if (family !== 6) return false;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isPublicAddress(mapped);
  return /^[23]/.test(address) && !inside.check(address, "ipv6");
}

/** The port of https, or one above the system's services. Otherwise somebody could make the tool connect to mail servers. */
function isWebPort(port: string): boolean {
  return port === "" || Number(port) >= 1024;
}

/**
 * Checks an address that an LMS or an administrator gave: https, no user name, no private IP address, no system port. `URL` has already
 * turned spellings such as 0x7f.1 or 2130706433 into plain IP addresses.
 * @param allowPrivate In development, also http, loopback and private addresses.
 * @param what Names the address in the error, as in "The token address".
 * @throws NamedError "bad-address"
 */
export function outsideAddress(address: string, allowPrivate: boolean, what: string): URL {
  const url = URL.parse(address);
  const bad = (fault: string) => refusal("bad-address", { values: { what, fault }, status: 400 });
  if (url === null || !/^https?:$/.test(url.protocol)) throw bad("is not a full web address");
  if (url.username !== "" || url.password !== "") throw bad("must not hold a user name or password");
  if (allowPrivate) return url;
  if (url.protocol !== "https:") throw bad("must begin with https://");
  if (!isWebPort(url.port)) throw bad("must use the port of https or one above 1023");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if ((isIP(host) !== 0 && !isPublicAddress(host)) || /(^|\.)localhost\.?$/i.test(host)) {
    throw bad("must be on the public internet");
  }
  return url;
}

/** A sentence that says why an address can't be an LMS's; null if it can. */
export function addressProblem(address: string, allowPrivate: boolean): string | null {
  // A browser would repair "https:/lms.test", but issuers are compared letter by letter.
  if (!/^https?:\/\/[^/\s]/i.test(address)) return "This address is not a full web address.";
  try {
    outsideAddress(address, allowPrivate, "This address");
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** Counts each call by kind and status. */
export function countedFetch(
  fetch: typeof globalThis.fetch,
  { metrics, clock }: { metrics?: Metrics; clock: Clock },
): typeof globalThis.fetch {
  if (metrics === undefined) return fetch;
  const calls = metrics.counter("lms_calls_total", "Requests to LMSs by kind and status; none is no answer", [
    "kind",
    "status",
  ]);
  const seconds = metrics.histogram("lms_call_seconds", "Time LMSs took to answer", ["kind"]);
  return watchedFetch({ fetch, clock }, ({ headers, status, askedAt, answeredAt }) => {
    const kind = kindOfCall(headers);
    calls.inc({ kind, status: String(status ?? "none") });
    seconds.observe({ kind }, (answeredAt - askedAt) / 1000);
  });
}

type LmsCallKind = "token" | "roster" | "line-item" | "score" | "result" | "groups" | "other";

/** By media types of LTI Advantage (AGS 2.0, NRPS 2.0, Course Groups 1.0) and of OAuth 2. */
const kinds: readonly [RegExp, LmsCallKind][] = [
  [/vnd\.ims\.lis\.v1\.score\+json/, "score"],
  [/vnd\.ims\.lis\.v2\.resultcontainer\+json/, "result"],
  [/vnd\.ims\.lis\.v2\.lineitem(container)?\+json/, "line-item"],
  [/vnd\.ims\.lti-nrps\.v2\.membershipcontainer\+json/, "roster"],
  [/vnd\.ims\.lti-gs\.v1\.contextgroup(set)?container\+json/, "groups"],
  [/x-www-form-urlencoded/, "token"],
];

/** The kind of a call, by its headers. Each LMS has its own addresses, which say nothing. */
export function kindOfCall(headers: Headers): LmsCallKind {
  const types = `${headers.get("content-type") ?? ""} ${headers.get("accept") ?? ""}`;
  return kinds.find(([type]) => type.test(types))?.[1] ?? "other";
}

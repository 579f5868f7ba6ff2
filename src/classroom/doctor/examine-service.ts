import type { Clock } from "../../kernel/clock.ts";
import type { Dialect, RouteDialect } from "../dialect.ts";
import { get } from "../known-shapes.ts";
import type { Probe, Seen } from "./create-probe.ts";
import { examineKey } from "./examine-key.ts";
import { advice, type Finding, finding, seen } from "./finding.ts";
import { fingerprint } from "./judge-answer.ts";
import { failureInWords } from "./failure-in-words.ts";
import { settingOf } from "../../domain/account.ts";

/** An address that certainly does not exist. */
function unknownRoute(id: string): RouteDialect {
  return get(`/${id}`);
}

export type ServiceSeen = {
  findings: Finding[];
  /** False: nothing more can be found out. */
  goOn: boolean;
  unknown: UnknownAddress | null;
};

/** Answers of an address that does not exist, to compare with. */
export type UnknownAddress = { read: string; options: string; allow: readonly string[] };

/** Differences of clocks: fine up to, trouble from (ms). */
const clockDifference = { fine: 5_000, trouble: 60_000 };

/** Whether the service is there, encrypted, on time, and takes the key. Reads only. */
export async function examineService(deps: {
  environment: { name: string; baseUrl: string };
  dialect: Dialect;
  probe: Probe;
  clock: Clock;
  nobody: string;
}): Promise<ServiceSeen> {
  const { environment, probe, clock, nobody } = deps;
  const route = unknownRoute(nobody);
  const read = await probe(route, {});
  if (read.kind === "failure") {
    const { what, todo } = failureInWords(read.reason, environment.baseUrl);
    return { findings: [finding("wrong", "service", what, { todo })], goOn: false, unknown: null };
  }
  const findings = [reachable(environment.baseUrl, read), ...clockFindings(read, clock.now())];
  if (read.status >= 300 && read.status < 400) {
    findings.push(redirected(environment, read.location));
    return { findings, goOn: false, unknown: null };
  }
  const own = [route.path, nobody];
  const options = await probe(route, {}, { asOptions: true });
  const unknown = {
    read: fingerprint(read, own),
    options: fingerprint(options, own),
    allow: options.kind === "answer" ? options.allow : [],
  };
  const key = await examineKey(deps);
  // A key taken in another way is used in that way from here on.
  return { findings: [...findings, key], goOn: key.level !== "wrong" || key.dialect !== null, unknown };
}

function reachable(baseUrl: string, read: Seen): Finding {
  const { protocol, hostname } = new URL(baseUrl);
  const took = { ms: read.ms };
  if (protocol === "https:") return finding("fine", "service", seen("over-https", took));
  if (/^(localhost|127\.|\[::1\])/.test(hostname))
    return finding("fine", "service", seen("on-this-machine", took));
  return finding("wrong", "service", seen("over-http", took), { todo: advice("use-https") });
}

function clockFindings(read: Seen, now: number): Finding[] {
  if (read.kind === "failure" || read.date === null) return [finding("note", "clock", seen("clock-unknown"))];
  // The header has whole seconds and was written some time before now.
  const leadMs = now - read.ms / 2 - (read.date + 500);
  const seconds = Math.round(Math.abs(leadMs) / 1_000);
  if (Math.abs(leadMs) <= clockDifference.fine) return [finding("fine", "clock", seen("clock-agrees"))];
  const what = seen(leadMs > 0 ? "clock-ahead" : "clock-behind", { seconds });
  const level = Math.abs(leadMs) > clockDifference.trouble ? "wrong" : "note";
  return [finding(level, "clock", what, { todo: advice("check-time") })];
}

function redirected(environment: { name: string }, location: string | null): Finding {
  const what =
    location !== null && URL.canParse(location)
      ? seen("redirects-to", { origin: new URL(location).origin })
      : seen("redirects");
  return finding("wrong", "service", what, {
    todo: advice("set-base-url", { setting: settingOf(environment.name, "BASE_URL") }),
  });
}

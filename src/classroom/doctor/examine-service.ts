import type { Clock } from "../../kernel/clock.ts";
import type { Dialect, RouteDialect } from "../dialect.ts";
import { get } from "../known-shapes.ts";
import type { Probe, Seen } from "./create-probe.ts";
import { examineKey } from "./examine-key.ts";
import { type Finding, finding } from "./finding.ts";
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
    const { message, todo } = failureInWords(read.reason, environment.baseUrl);
    return { findings: [finding("wrong", "service", message, { todo })], goOn: false, unknown: null };
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
  const took = `answers in ${read.ms} ms`;
  if (protocol === "https:")
    return finding("fine", "service", `${took}, over https with a valid certificate.`);
  if (/^(localhost|127\.|\[::1\])/.test(hostname))
    return finding("fine", "service", `${took} (plain http on this machine).`);
  return finding(
    "wrong",
    "service",
    `${took}, but over plain http: the key and people's data can be read on the way.`,
    {
      todo: "Use the service's https address in the environment's CLASSROOM_..._BASE_URL.",
    },
  );
}

function clockFindings(read: Seen, now: number): Finding[] {
  if (read.kind === "failure" || read.date === null)
    return [
      finding("note", "clock", "The service tells no time (no Date header), so clocks were not compared."),
    ];
  // The header has whole seconds and was written some time before now.
  const leadMs = now - read.ms / 2 - (read.date + 500);
  const seconds = Math.round(Math.abs(leadMs) / 1_000);
  if (Math.abs(leadMs) <= clockDifference.fine)
    return [finding("fine", "clock", "This machine and the service agree about the time.")];
  const message = `This machine's clock is ${seconds} s ${leadMs > 0 ? "ahead of" : "behind"} the service's.`;
  const todo =
    "Check this machine's time (timedatectl, NTP): launches and logins are valid for short times only.";
  return [finding(Math.abs(leadMs) > clockDifference.trouble ? "wrong" : "note", "clock", message, { todo })];
}

function redirected(environment: { name: string }, location: string | null): Finding {
  const target = location !== null && URL.canParse(location) ? ` to ${new URL(location).origin}` : "";
  return finding(
    "wrong",
    "service",
    `It redirects API calls${target}; the tool never sends the key on to another address.`,
    {
      todo: `Set ${settingOf(environment.name, "BASE_URL")} to the address that answers itself.`,
    },
  );
}

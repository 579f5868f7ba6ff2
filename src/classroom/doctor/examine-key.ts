import type { Dialect } from "../dialect.ts";
import type { Probe, Seen } from "./create-probe.ts";
import { type Finding, finding } from "./finding.ts";
import { settingOf } from "../../domain/account.ts";

/** Usual ways to send a key, tried when the dialect's is refused. */
const keyManners: readonly Pick<Dialect["apiKey"], "header" | "scheme">[] = [
  { header: "X-API-Key", scheme: "" },
  { header: "Authorization", scheme: "" },
  { header: "Authorization", scheme: "ApiKey" },
  { header: "Api-Key", scheme: "" },
];

type Examination = {
  environment: { name: string };
  dialect: Dialect;
  probe: Probe;
  nobody: string;
};

/** Reads a missing event with and without the key. A refused key is also sent in other usual ways, always in a header. */
export async function examineKey(examination: Examination): Promise<Finding> {
  const { environment, dialect, probe, nobody } = examination;
  const [route] = dialect.operations.readEvent.routes;
  if (route === undefined) return finding("note", "key", "The dialect has no address to try the key at.");
  const values = { eventId: nobody };
  const refusal = (seen: Seen): number | null =>
    seen.kind === "answer" && dialect.statuses.keyRefused.includes(seen.status) ? seen.status : null;
  const refused = refusal(await probe(route, values));
  const without = refusal(await probe(route, values, { withoutKey: true }));
  if (refused === null) return accepted(without);
  if (without !== null && without !== refused) {
    const message = `recognised (without it the service answers ${without}), but reading an event is answered ${refused}.`;
    return finding("note", "key", message, {
      todo: "The key may lack a right. Ask the service which rights it needs.",
    });
  }
  for (const manner of keyManners) {
    if (manner.header === dialect.apiKey.header && manner.scheme === dialect.apiKey.scheme) continue;
    const seen = await probe(route, values, { apiKey: { ...manner, query: null } });
    if (seen.kind === "answer" && seen.status !== 429 && seen.status < 500 && refusal(seen) === null)
      return takenElsewhere(refused, manner);
  }
  return finding("wrong", "key", `refused (status ${refused}), also in other usual headers.`, {
    todo: `Check ${settingOf(environment.name, "API_KEY")}: is it complete, of this account, and of a plan that has begun? If so, ask the service how the key is sent and write apiKey into the dialect file.`,
  });
}

function accepted(statusWithout: number | null): Finding {
  if (statusWithout !== null)
    return finding("fine", "key", `accepted (without it the service answers ${statusWithout}).`);
  const message =
    "The service answers the same with and without the key here, so nothing can be said about it.";
  return finding("note", "key", message, { todo: "--create needs the key for certain." });
}

function takenElsewhere(status: number, manner: (typeof keyManners)[number]): Finding {
  const way = `${manner.header}: ${manner.scheme === "" ? "" : `${manner.scheme} `}<key>`;
  return finding("wrong", "key", `refused as it is sent now (status ${status}), but taken as "${way}".`, {
    todo: "Write the lines below into the dialect file.",
    dialect: { apiKey: manner },
  });
}

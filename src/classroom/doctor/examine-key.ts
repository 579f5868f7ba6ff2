import type { Dialect } from "../dialect.ts";
import type { Probe, Seen } from "./create-probe.ts";
import { advice, type Finding, finding, seen } from "./finding.ts";
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
  if (route === undefined) return finding("note", "key", seen("key-untried"));
  const values = { eventId: nobody };
  const refusal = (answer: Seen): number | null =>
    answer.kind === "answer" && dialect.statuses.keyRefused.includes(answer.status) ? answer.status : null;
  const refused = refusal(await probe(route, values));
  const without = refusal(await probe(route, values, { withoutKey: true }));
  if (refused === null) return accepted(without);
  if (without !== null && without !== refused) {
    return finding("note", "key", seen("key-lacks-right", { without, refused }), {
      todo: advice("ask-rights"),
    });
  }
  for (const manner of keyManners) {
    if (manner.header === dialect.apiKey.header && manner.scheme === dialect.apiKey.scheme) continue;
    const answer = await probe(route, values, { apiKey: { ...manner, query: null } });
    if (answer.kind === "answer" && answer.status !== 429 && answer.status < 500 && refusal(answer) === null)
      return takenElsewhere(refused, manner);
  }
  return finding("wrong", "key", seen("key-refused", { status: refused }), {
    todo: advice("check-key", { setting: settingOf(environment.name, "API_KEY") }),
  });
}

function accepted(statusWithout: number | null): Finding {
  if (statusWithout !== null) return finding("fine", "key", seen("key-accepted", { status: statusWithout }));
  return finding("note", "key", seen("key-unclear"), { todo: advice("create-shows-key") });
}

function takenElsewhere(status: number, manner: (typeof keyManners)[number]): Finding {
  const way = `${manner.header}: ${manner.scheme === "" ? "" : `${manner.scheme} `}<key>`;
  return finding("wrong", "key", seen("key-elsewhere", { status, way }), {
    todo: advice("write-lines"),
    dialect: { apiKey: manner },
  });
}

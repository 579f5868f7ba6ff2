import type { Clock } from "../../kernel/clock.ts";
import type { OpenExchange } from "../exchange.ts";
import { sendOnce } from "../send-once.ts";
import type { Permit } from "../permits.ts";
import { failureInWords } from "./failure-in-words.ts";
import { type Finding, finding } from "./finding.ts";

type Deps = { open: OpenExchange; clock: Clock; timeoutMs: number };

/** Whether the web application that serves Spaces answers. */
export async function examineApp(deps: Deps, appUrl: string): Promise<Finding> {
  const seen = await ask(deps, appUrl);
  if (seen.kind === "failure") {
    const { message, todo } = failureInWords(seen.reason, appUrl);
    return finding("wrong", "app", message, { todo });
  }
  if (seen.status >= 500)
    return finding("wrong", "app", `${appUrl} answers ${seen.status}.`, {
      todo: "Check CLASSROOM_..._APP_URL; if it is right, the classroom has trouble.",
    });
  return finding("fine", "app", `${appUrl} answers.`);
}

/** Whether this tool can be reached at PUBLIC_URL, as browsers, the LMS and the classroom do. */
export async function examinePublicUrl(deps: Deps, publicUrl: string): Promise<Finding[]> {
  const { protocol, hostname } = new URL(publicUrl);
  const local = /^(localhost|127\..*|\[::1\])$/.test(hostname);
  const plain =
    protocol === "https:"
      ? []
      : [
          finding(local ? "note" : "wrong", "PUBLIC_URL", "It is plain http.", {
            todo: "LMSs and browsers need https, except for development on one machine.",
          }),
        ];
  const seen = await ask(deps, `${publicUrl}/healthz`);
  if (seen.kind === "failure") {
    const { message } = failureInWords(seen.reason, publicUrl);
    const todo = "Start the tool (npm start); if it runs, check that the proxy in front of it leads to it.";
    return [...plain, finding("wrong", "PUBLIC_URL", message, { todo })];
  }
  const alive =
    typeof seen.reply === "object" && seen.reply !== null && "alive" in seen.reply && seen.status === 200;
  if (alive) return [...plain, finding("fine", "PUBLIC_URL", `${publicUrl} leads to this tool.`)];
  return [
    ...plain,
    finding(
      "wrong",
      "PUBLIC_URL",
      `Something answers at ${publicUrl} (status ${seen.status}), but not this tool.`,
      {
        todo: "Check that PUBLIC_URL is complete (a path in front counts) and that the proxy leads to the tool's port.",
      },
    ),
  ];
}

/** Pages and our own address are not limited. */
const noLimit: Permit = {
  begin: () => Promise.resolve(),
  left: () => undefined,
  answered: () => undefined,
};

function ask(deps: Deps, url: string) {
  const request = { method: "GET", url, body: null, headers: { accept: "application/json, text/html" } };
  return sendOnce(deps, request, noLimit, undefined);
}

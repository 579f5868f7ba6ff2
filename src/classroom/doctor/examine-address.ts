import type { Clock } from "../../kernel/clock.ts";
import type { OpenExchange } from "../exchange.ts";
import { sendOnce } from "../send-once.ts";
import type { Permit } from "../permits.ts";
import { failureInWords } from "./failure-in-words.ts";
import { advice, type Finding, finding, seen, seenInEnglish } from "./finding.ts";

type Deps = { open: OpenExchange; clock: Clock; timeoutMs: number };

/** Whether the web application that serves Spaces answers. */
export async function examineApp(deps: Deps, appUrl: string): Promise<Finding> {
  const answer = await ask(deps, appUrl);
  if (answer.kind === "failure") {
    const { what, todo } = failureInWords(answer.reason, appUrl);
    return finding("wrong", "app", what, { todo });
  }
  if (answer.status >= 500)
    return finding("wrong", "app", seen("app-fails", { address: appUrl, status: answer.status }), {
      todo: advice("check-app-address"),
    });
  return finding("fine", "app", seen("app-answers", { address: appUrl }));
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
  const answer = await ask(deps, `${publicUrl}/healthz`);
  if (answer.kind === "failure") {
    const message = seenInEnglish(failureInWords(answer.reason, publicUrl).what);
    const todo = "Start the tool (npm start); if it runs, check that the proxy in front of it leads to it.";
    return [...plain, finding("wrong", "PUBLIC_URL", message, { todo })];
  }
  const alive =
    typeof answer.reply === "object" &&
    answer.reply !== null &&
    "alive" in answer.reply &&
    answer.status === 200;
  if (alive) return [...plain, finding("fine", "PUBLIC_URL", `${publicUrl} leads to this tool.`)];
  return [
    ...plain,
    finding(
      "wrong",
      "PUBLIC_URL",
      `Something answers at ${publicUrl} (status ${answer.status}), but not this tool.`,
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

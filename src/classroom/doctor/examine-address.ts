import type { Clock } from "../../kernel/clock.ts";
import type { OpenExchange } from "../exchange.ts";
import { sendOnce } from "../send-once.ts";
import type { Permit } from "../permits.ts";
import { failureInWords } from "./failure-in-words.ts";
import { advice, type Finding, finding, seen } from "./finding.ts";

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
      : [finding(local ? "note" : "wrong", "PUBLIC_URL", seen("plain-http"), { todo: advice("need-https") })];
  const answer = await ask(deps, `${publicUrl}/healthz`);
  if (answer.kind === "failure") {
    const { what } = failureInWords(answer.reason, publicUrl);
    return [...plain, finding("wrong", "PUBLIC_URL", what, { todo: advice("start-tool") })];
  }
  const alive =
    typeof answer.reply === "object" &&
    answer.reply !== null &&
    "alive" in answer.reply &&
    answer.status === 200;
  if (alive) return [...plain, finding("fine", "PUBLIC_URL", seen("leads-here", { address: publicUrl }))];
  return [
    ...plain,
    finding("wrong", "PUBLIC_URL", seen("not-this-tool", { address: publicUrl, status: answer.status }), {
      todo: advice("check-public-url"),
    }),
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

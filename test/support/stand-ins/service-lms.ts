import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { decodeJwt, decodeProtectedHeader } from "jose";
import type { Registration } from "../../../src/domain/registration.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createAccessTokens } from "../../../src/lms/access-tokens.ts";
import { createGroups, createRoster } from "../../../src/lms/roster.ts";
import { createLmsPauses } from "../../../src/lms/lms-pauses.ts";
import { createLineItems } from "../../../src/lms/line-items.ts";
import { createRequester, type RequestLimits } from "../../../src/lms/requester.ts";
import { createScores } from "../../../src/lms/scores.ts";
import { createServiceCalls } from "../../../src/lms/service-calls.ts";
import { createToolKeys } from "../../../src/lms/tool-keys.ts";
import { createLmsStores } from "../builders/lms-stores.ts";
import { closed, listening } from "./local-server.ts";
import { registrationOf } from "../builders/registration.ts";

const ags = "https://purl.imsglobal.org/spec/lti-ags/scope";
export const allGradeScopes = [`${ags}/lineitem`, `${ags}/result.readonly`, `${ags}/score`];

/** A request a service of the LMS got. */
export type SeenRequest = {
  method: string;
  url: string;
  accept: string | undefined;
  contentType: string | undefined;
  authorization: string | undefined;
  body: string;
};

/** The response of the service; by default 200 and an empty text. */
export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown };

/** An LMS that consists of its token endpoint and services that answer what a test says, and the wall's clients for it. */
export async function startServiceLms(
  change: Partial<Registration> = {},
  limits: RequestLimits = { timeoutMs: 2_000, maxBytes: 200_000 },
) {
  const seen: SeenRequest[] = [];
  const assertions: {
    header: object;
    payload: Record<string, unknown>;
    scope: string;
    form: URLSearchParams;
  }[] = [];
  const state: {
    answer: (request: SeenRequest) => Reply | "hang" | "cut";
    tokenAnswer: () => Reply;
    now: number;
  } = {
    answer: () => ({}),
    tokenAnswer: () => ({
      body: { access_token: `token-${assertions.length}`, token_type: "bearer", expires_in: 3600 },
    }),
    now: Date.now(),
  };
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      if (request.url === "/token") {
        const form = new URLSearchParams(body);
        const assertion = form.get("client_assertion") ?? "";
        assertions.push({
          header: decodeProtectedHeader(assertion),
          payload: decodeJwt(assertion),
          scope: form.get("scope") ?? "",
          form,
        });
        send(response, state.tokenAnswer(), "text/html; charset=utf-8"); // Moodle's content type
        return;
      }
      const one: SeenRequest = {
        method: request.method ?? "",
        url: request.url ?? "",
        accept: request.headers.accept,
        contentType: request.headers["content-type"],
        authorization: request.headers.authorization,
        body,
      };
      seen.push(one);
      const answer = state.answer(one);
      if (answer === "cut") request.socket.destroy();
      else if (answer !== "hang") send(response, answer, "application/json");
    });
  });
  const url = await listening(server);
  const registration: Registration = registrationOf({ issuer: url, family: "other", ...change });
  const clock: Clock = { now: () => state.now, sleep: () => Promise.resolve() };
  const sealer = createSealer("a secret key of at least thirty-two bytes");
  const stores = createLmsStores();
  const request = createRequester(fetch, limits);
  const toolKeys = createToolKeys({ toolKeys: stores.toolKeys, sealer, clock, ids: randomIds });
  const back: string[] = [];
  const pauses = createLmsPauses({
    lmsPauses: stores.lmsPauses,
    clock,
    logger: createLogger("silent"),
    onLmsBack: async (registrationId) => {
      await Promise.resolve(back.push(registrationId));
    },
  });
  const own = { request, pauses, clock };
  const accessTokens = createAccessTokens({ ...stores, ...own, toolKeys, sealer, ids: randomIds });
  const calls = createServiceCalls({ ...own, accessTokens });
  return {
    url,
    registration,
    seen,
    assertions,
    state,
    stores,
    toolKeys,
    accessTokens,
    pauses,
    /** LMSs that were found to be reachable again, one entry for each time. */
    back,
    lineItems: createLineItems({ calls, clock }),
    scores: createScores({ calls, clock }),
    roster: createRoster({ calls }),
    groups: createGroups({ calls }),
    close: () => closed(server),
  };
}

export type ServiceLms = Awaited<ReturnType<typeof startServiceLms>>;

function send(response: ServerResponse, { status = 200, headers = {}, body = "" }: Reply, type: string) {
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

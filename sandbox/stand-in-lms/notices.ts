// From: Platform Notification Service; times between attempts are this sandbox's own.
import { randomUUID } from "node:crypto";
import express, { type Express, type Request } from "express";
import { z } from "zod";
import type { Course, Tool } from "./lms-records.ts";
import { deploymentIn } from "./lms-world.ts";
import type { Lms } from "./lms.ts";
import { lti } from "./lti-names.ts";
import { pathValue } from "./pages.ts";
import {
  answerService,
  jsonAnswer,
  parseJson,
  rawBodyOf,
  type ServiceAnswer,
  toolOfToken,
} from "./services.ts";

type NoticeType = "LtiHelloWorldNotice" | "LtiContextCopyNotice";

export type Notices = ReturnType<typeof createNotices>;

const noticeTypes: readonly NoticeType[] = ["LtiHelloWorldNotice", "LtiContextCopyNotice"];

/** Delay before the second attempt (ms), then doubled. Real LMSs wait minutes. */
const firstPauseMs = 100;

/** @param deps.fetch Reaches the tools' handlers. */
export function createNotices(deps: { fetch: typeof fetch }) {
  const running = new Set<Promise<void>>();
  const send = (lms: Lms, tool: Tool, type: NoticeType, claims: Record<string, unknown>) => {
    const handler = tool.noticeHandlers.get(type);
    if (handler === undefined) return;
    const sending = deliver(lms, { tool, type, handler, claims }, deps.fetch).finally(() =>
      running.delete(sending),
    );
    running.add(sending);
  };
  return {
    /** Sent to the tools that asked for it. */
    courseCopied: (lms: Lms, copy: Course, source: Course): void => {
      for (const tool of lms.world.tools.values()) {
        send(lms, tool, "LtiContextCopyNotice", {
          [`${lti.claim}/deployment_id`]: deploymentIn(tool, copy.id),
          [`${lti.claim}/context`]: lms.manners.contextClaim(copy),
          [`${lti.claim}/origin_contexts`]: [lms.manners.contextClaim(source).id],
        });
      }
    },
    hello: (lms: Lms, tool: Tool): void => {
      send(lms, tool, "LtiHelloWorldNotice", {});
    },
    settled: async (): Promise<void> => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Repeated until the handler accepts it: the same notice id, a fresh nonce each time. */
async function deliver(
  lms: Lms,
  notice: { tool: Tool; type: NoticeType; handler: string; claims: Record<string, unknown> },
  send: typeof fetch,
): Promise<void> {
  const { tool, type, handler, claims } = notice;
  const noticeId = randomUUID();
  const timestamp = new Date(lms.clock.now()).toISOString();
  for (let attempt = 1; attempt <= lms.manners.noticeAttempts; attempt += 1) {
    if (attempt > 1) await lms.clock.sleep(firstPauseMs * 2 ** (attempt - 2));
    const iat = Math.floor(lms.clock.now() / 1000);
    const jwt = await lms.key.sign({
      iss: lms.url,
      aud: tool.clientId,
      iat,
      exp: iat + lms.manners.idTokenSeconds,
      nonce: randomUUID(),
      [`${lti.claim}/version`]: "1.3.0",
      [`${lti.claim}/deployment_id`]: tool.deploymentId,
      [`${lti.claim}/notice`]: { id: noticeId, timestamp, type },
      ...claims,
    });
    const status = await post(send, handler, JSON.stringify({ notices: [{ jwt }] }));
    lms.logger.debug({ type, handler, status }, "a notice was sent to a tool");
    const again = attempt === 1 && lms.manners.name === "other" && lms.turned.has("noticesComeOnce");
    if (status >= 200 && status < 300 && !again) return;
  }
}

async function post(send: typeof fetch, url: string, body: string): Promise<number> {
  try {
    const headers = { "content-type": "application/json" };
    const answer = await send(url, { method: "POST", headers, body, signal: AbortSignal.timeout(10_000) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

/** The launch claim of the Platform Notification Service, for a tool that was granted its scope. */
export function noticesClaim(lms: Lms, tool: Tool): Record<string, unknown> {
  if (!tool.scopes.includes(lti.extraScope.notices)) return {};
  const path = lms.manners.paths.notices;
  if (path === null) return {};
  return {
    [lti.noticesClaim]: {
      service_versions: ["1.0"],
      platform_notification_service_url: `${lms.url}${path.replace(":tool", tool.id)}`,
      scope: [lti.extraScope.notices],
      notice_types_supported: [...noticeTypes],
    },
  };
}

const handlerSchema = z.object({ notice_type: z.enum(noticeTypes), handler: z.string() });

/** GET lists the handlers of a tool, PUT sets the handler for a type; an empty one removes it. */
export function mountNotices(app: Express, lms: Lms): void {
  const path = lms.manners.paths.notices;
  if (path === null) return;
  app.all(path, express.text({ type: () => true }), async (request, response) => {
    await answerService(lms, "notice-handlers", { request, response }, () => answerHandlers(lms, request));
  });
}

function answerHandlers(lms: Lms, request: Request): ServiceAnswer {
  const tool = toolOfToken(lms, request, [lti.extraScope.notices]);
  if (tool?.id !== pathValue(request, "tool")) return jsonAnswer(401, { errors: "unauthorized" });
  if (request.method === "GET") return jsonAnswer(200, handlersOf(tool));
  if (request.method !== "PUT") return jsonAnswer(405, { errors: "method not allowed" });
  const sent = handlerSchema.safeParse(parseJson(rawBodyOf(request)));
  if (!sent.success) return jsonAnswer(400, { errors: "unknown notice_type, or no handler" });
  const { notice_type: type, handler } = sent.data;
  if (handler === "") {
    tool.noticeHandlers.delete(type);
  } else if (URL.parse(handler)?.host === tool.domain) {
    tool.noticeHandlers.set(type, handler);
    if (type === "LtiHelloWorldNotice") lms.notices.hello(lms, tool);
  } else {
    return jsonAnswer(400, { errors: "handler must be a valid URL of the tool's domain" });
  }
  return jsonAnswer(200, { notice_type: type, handler });
}

function handlersOf(tool: Tool): Record<string, unknown> {
  return {
    client_id: tool.clientId,
    deployment_id: tool.deploymentId,
    notice_handlers: noticeTypes.map((type) => ({
      notice_type: type,
      handler: tool.noticeHandlers.get(type) ?? "",
    })),
  };
}

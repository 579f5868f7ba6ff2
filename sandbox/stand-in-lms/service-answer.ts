// Imitates nothing.
import type { Request, Response } from "express";
import type { Fault } from "./faults.ts";
import type { Lms } from "./lms.ts";
import type { ServiceName } from "./request-log.ts";

/** `reason` is the text of the status line, which Moodle uses a lot. */
export type ServiceAnswer = {
  status: number;
  reason?: string;
  type: string;
  body: string;
  headers?: Record<string, string>;
};

/** Applies the service's fault, does the work unless the fault forbids it, and logs the call. */
export async function answerService(
  lms: Lms,
  service: ServiceName,
  exchange: { request: Request; response: Response },
  work: () => ServiceAnswer | Promise<ServiceAnswer>,
): Promise<void> {
  const { request, response } = exchange;
  const fault = lms.faults.meet(service);
  if (fault?.how === "slow") await lms.clock.sleep(fault.delayMs);
  const refused = fault === null ? null : refusalOf(fault);
  const answer = refused ?? (await work());
  const hangUp = fault?.how === "hang-up" || fault?.how === "lose-answer";
  lms.log.add({
    at: lms.clock.now(),
    service,
    method: request.method,
    url: request.originalUrl,
    status: hangUp ? 0 : answer.status,
    body: service === "token" ? "" : rawBodyOf(request),
  });
  lms.logger.debug({ service, method: request.method, status: answer.status }, "a tool called a service");
  if (hangUp) {
    request.socket.destroy();
    return;
  }
  send(response, answer);
}

function refusalOf(fault: Fault): ServiceAnswer | null {
  if (fault.how === "slow" || fault.how === "lose-answer") return null;
  if (fault.how === "maintenance") {
    return {
      status: 503,
      reason: "Moodle under maintenance",
      type: "text/html; charset=utf-8",
      body: "<!doctype html><title>Maintenance</title><p>This site is undergoing maintenance.</p>",
      headers: { "retry-after": "300" },
    };
  }
  if (fault.error !== undefined) {
    return {
      status: fault.status,
      type: "application/json; charset=utf-8",
      body: JSON.stringify({ error: fault.error }),
    };
  }
  return {
    status: fault.status,
    type: "application/json; charset=utf-8",
    body: JSON.stringify({ status: fault.status, reason: "A fault is switched on in the stand-in LMS" }),
    ...(fault.retryAfter === undefined ? {} : { headers: { "retry-after": String(fault.retryAfter) } }),
  };
}

function send(response: Response, answer: ServiceAnswer): void {
  response.status(answer.status);
  if (answer.reason !== undefined) {
    // PHP writes the UTF-8 bytes as they are; Node takes such bytes one by one, and no control characters.
    response.statusMessage = rawHeader(answer.reason);
  }
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    response.setHeader(name, rawHeader(value));
  response.setHeader("content-type", answer.type);
  // As bytes: with a string Node would write the headers in UTF-8 once more.
  response.end(Buffer.from(answer.body));
}

function rawHeader(text: string): string {
  const bytes = Buffer.from(text, "utf8").map((byte) => (byte < 0x20 || byte === 0x7f ? 0x20 : byte));
  return Buffer.from(bytes).toString("latin1");
}

/** Empty when there was none. */
export function rawBodyOf(request: Request): string {
  const body: unknown = request.body;
  return typeof body === "string" ? body : "";
}

/** Undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return undefined;
  }
}

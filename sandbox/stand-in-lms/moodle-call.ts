// From: services.php, measured.
import type { Lms } from "./lms.ts";
import type { Course, Tool } from "./lms-records.ts";
import type { ServiceAnswer } from "./service-answer.ts";

export type MoodleCall = {
  lms: Lms;
  method: string;
  /** Path below services.php. */
  path: string;
  /** Path and query as received. */
  url: string;
  query: URLSearchParams;
  accept: string;
  /** Without parameters such as charset. */
  contentType: string;
  body: string;
  tool: Tool;
  course: Course;
  columnId: string;
};

/** Whether an Accept header asks for nothing in particular. */
export function anyMedia(accept: string): boolean {
  return accept === "" || accept === "*/*";
}

/** As services.php: the reason is in the status line and in the body. */
export function moodleError(
  call: Pick<MoodleCall, "method" | "url" | "accept" | "contentType">,
  status: number,
  reason: string,
): ServiceAnswer {
  const { method, url, accept, contentType } = call;
  return {
    status,
    reason: reason.trim(),
    type: "application/json; charset=utf-8",
    body: JSON.stringify({ status, reason, request: { method, url, accept, contentType } }),
  };
}

/** What nginx makes of a PHP answer with HTTP status 0: too long labels and user ids that are no numbers. */
export const moodleBadGateway: ServiceAnswer = {
  status: 502,
  type: "text/html",
  body: "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n",
};

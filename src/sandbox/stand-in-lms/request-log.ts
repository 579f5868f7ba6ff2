/** Which of the platform's services a tool called. */
export type ServiceName =
  | "token"
  | "memberships"
  | "line-items"
  | "line-item"
  | "scores"
  | "results"
  | "registration"
  | "groups"
  | "notice-handlers";

/** One call a tool made, for tests and for people who wonder what was sent. */
export type LoggedRequest = {
  /** Milliseconds since the epoch, when the request was answered. */
  at: number;
  service: ServiceName;
  method: string;
  /** Path and query. */
  url: string;
  status: number;
  /** The body as sent; a token request's is left out, for it carries a credential. */
  body: string;
};

/** The calls received, oldest first; the oldest fall out when there are too many. */
export type RequestLog = {
  add: (request: LoggedRequest) => void;
  all: () => readonly LoggedRequest[];
  clear: () => void;
};

/** An empty log that keeps the last `limit` calls. */
export function createRequestLog(limit = 20_000): RequestLog {
  let requests: LoggedRequest[] = [];
  return {
    add: (request) => {
      requests.push(request);
      if (requests.length > limit * 1.1) requests = requests.slice(-limit);
    },
    all: () => requests,
    clear: () => {
      requests = [];
    },
  };
}

// Imitates nothing.
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

export type LoggedRequest = {
  /** When it was answered (ms). */
  at: number;
  service: ServiceName;
  method: string;
  /** Path and query. */
  url: string;
  status: number;
  /** As sent; a token request's is left out, for it carries a credential. */
  body: string;
};

/** Oldest first; the oldest are dropped. */
export type RequestLog = {
  add: (request: LoggedRequest) => void;
  all: () => readonly LoggedRequest[];
  clear: () => void;
};

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

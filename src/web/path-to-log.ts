import type { Request } from "express";

/** The path of a request for the log: without its query, which may carry tokens, and without what is a secret in it. */
export function pathToLog({ originalUrl }: Pick<Request, "originalUrl">): string {
  const [path = ""] = originalUrl.split(/[?#]/);
  return /^\/+calendar\//i.test(path) ? "/calendar/" : path;
}

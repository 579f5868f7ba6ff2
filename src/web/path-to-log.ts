import type { Request } from "express";

/** Without the query and path secrets, which may be tokens. */
export function pathToLog({ originalUrl }: Pick<Request, "originalUrl">): string {
  const [path = ""] = originalUrl.split(/[?#]/);
  const [, secret] = /^\/+(calendar|mail)\//i.exec(path) ?? [];
  return secret === undefined ? path : `/${secret.toLowerCase()}/`;
}

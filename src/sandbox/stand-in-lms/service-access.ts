import type { Request } from "express";
import type { Lms } from "./lms.ts";
import { columnsOf, findLink } from "./lms-world.ts";
import type { Column, Tool } from "./lms-records.ts";

/** The active tool whose access token came with the request and covers one of the scopes; else null. */
export function toolOfToken(lms: Lms, request: Request, scopes: string[]): Tool | null {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const token = lms.world.accessTokens.get(given);
  if (token === undefined || token.expiresAt <= lms.clock.now()) return null;
  if (!token.scopes.some((granted) => scopes.includes(granted))) return null;
  const tool = lms.world.tools.get(token.toolId);
  return tool?.state === "active" ? tool : null;
}

/** The media type of the body, without parameters; empty when absent. */
export function contentTypeOf(request: Request): string {
  return (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
}

/** The columns of a course that a tool may see: those it made and those of its links. */
export function toolColumns(lms: Lms, courseId: string, tool: Tool): Column[] {
  return columnsOf(lms.world, courseId).filter((column) => ownerOf(lms, column) === tool.id);
}

/** The tool a column belongs to; a coupled one belongs to the tool of its link. */
export function ownerOf(lms: Lms, column: Column): string | null {
  if (column.coupledLinkId === null) return column.toolId;
  return findLink(lms.world, column.coupledLinkId)?.toolId ?? null;
}

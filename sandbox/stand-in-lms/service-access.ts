// Imitates nothing.
import type { Request } from "express";
import type { Lms } from "./lms.ts";
import { columnsOf, findLink } from "./lms-world.ts";
import type { Column, Tool } from "./lms-records.ts";

/** Active, with a token that covers one of the scopes; else null. */
export function toolOfToken(lms: Lms, request: Request, scopes: string[]): Tool | null {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const token = lms.world.accessTokens.get(given);
  if (token === undefined || token.expiresAt <= lms.clock.now()) return null;
  if (!token.scopes.some((granted) => scopes.includes(granted))) return null;
  const tool = lms.world.tools.get(token.toolId);
  return tool?.state === "active" ? tool : null;
}

/** Without parameters; empty when absent. */
export function contentTypeOf(request: Request): string {
  return (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
}

/** Those the tool made and those of its links. */
export function toolColumns(lms: Lms, courseId: string, tool: Tool): Column[] {
  return columnsOf(lms.world, courseId).filter((column) => ownerOf(lms, column) === tool.id);
}

/** A coupled column belongs to the tool of its link. */
export function ownerOf(lms: Lms, column: Column): string | null {
  if (column.coupledLinkId === null) return column.toolId;
  return findLink(lms.world, column.coupledLinkId)?.toolId ?? null;
}

import type { PageCursor } from "../../storage/latest-first.ts";

/** Not URL-encoded. */
export function cursorText({ at, id }: PageCursor): string {
  return `${at}.${id}`;
}

export function cursorOf(text: string | null): PageCursor | null {
  const [, at, id] = /^(\d{1,16})\.(.{1,300})$/u.exec(text ?? "") ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

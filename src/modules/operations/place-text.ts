import type { PagePlace } from "../../storage/latest-first.ts";

/** The place up to which a list is known, as text; addresses still have to encode it. */
export function placeText({ at, id }: PagePlace): string {
  return `${at}.${id}`;
}

/** The place that such a text says; null when it says none. */
export function placeOfText(text: string | null): PagePlace | null {
  const [, at, id] = /^(\d{1,16})\.(.{1,300})$/u.exec(text ?? "") ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

import { refusal } from "../../kernel/refusal.ts";

/**
 * What cannot be undone is confirmed by typing what it concerns: letter by letter, but for spaces, which pages show as one,
 * and for the ways to write the same accent.
 * @throws NamedError "name-differs" when something else was typed; nothing was done then
 */
export function confirmTyped(typed: string, wanted: string): void {
  if (plain(typed) === plain(wanted)) return;
  throw refusal("name-differs", { status: 400 });
}

function plain(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ");
}

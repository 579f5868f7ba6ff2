import { NamedError } from "../../kernel/errors.ts";

/**
 * What cannot be undone is confirmed by typing what it concerns: letter by letter, but for spaces, which pages show as one,
 * and for the ways to write the same accent.
 * @throws NamedError "name-differs" when something else was typed; nothing was done then
 */
export function confirmTyped(typed: string, wanted: string): void {
  if (plain(typed) === plain(wanted)) return;
  throw new NamedError(
    "name-differs",
    "What you typed is not what was asked for, so nothing was erased. Go back and type it exactly as shown.",
    { status: 400 },
  );
}

function plain(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ");
}

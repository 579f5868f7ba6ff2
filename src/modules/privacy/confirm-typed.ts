import { refusal } from "../../kernel/refusal.ts";

/** Letter by letter, except for spaces (pages show several as one) and encodings of accents. @throws "name-differs" */
export function confirmTyped(typed: string, wanted: string): void {
  if (plain(typed) === plain(wanted)) return;
  throw refusal("name-differs", { status: 400 });
}

function plain(text: string): string {
  return text.normalize("NFC").trim().replace(/\s+/g, " ");
}

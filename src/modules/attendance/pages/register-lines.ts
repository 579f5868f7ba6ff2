import { asKnownStatus, type KnownStatus } from "../../../domain/attendance.ts";
import type { SeenRow, TypedRow } from "./register-form.ts";

/*
 * The lines of a register are hundreds on one page, so they carry little: one field says who they are and how they looked when the page
 * was made, and the others are named by a line's number. `s7` is its status as the letter the page shows, `n7` its note where that is open.
 */

/** One line as it was shown; the pieces are those of an address, parted by spaces. @param shown The whole status, "" for none. */
export function lineText(personId: string, { revision, status, note }: SeenRow, shown: string): string {
  const pieces = [personId, String(revision), shown, status, note];
  return pieces.map(encodeURIComponent).join(" ").trimEnd();
}

export function linesText(lines: readonly string[]): string {
  return lines.join(",");
}

/** What the letters of a page stand for: its language decides which ones they are. */
export function lettersText(choices: readonly { letter: string; value: KnownStatus }[]): string {
  return choices.map(({ letter, value }) => `${letter}:${value}`).join(" ");
}

export type PostedLine = { personId: string; typed: TypedRow; seen: SeenRow };

/** By their numbers. What is not understood is null; a line without fields is as it was. */
export function readLines(fields: Readonly<Record<string, unknown>>): (PostedLine | null)[] {
  const letters = readLetters(textIn(fields["letters"]));
  return textIn(fields["lines"])
    .split(",")
    .map((line, at) => {
      const known = readLine(line);
      if (known === null) return null;
      const { personId, seen, shown } = known;
      const status = letters.get(textIn(fields[`s${String(at)}`])) ?? shown;
      const note = fields[`n${String(at)}`];
      const typed = {
        // What the register showed as chosen, the classroom's record included: chosen again, it is no correction.
        status: status === shown ? seen.status : status,
        note: note === undefined ? seen.note : oneLine(textIn(note)),
      };
      return { personId, seen, typed };
    });
}

/** Spaces of any kind are one. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function readLetters(text: string): ReadonlyMap<string, KnownStatus> {
  return new Map(
    text.split(" ").flatMap((one) => {
      const [letter = "", value = ""] = one.split(":");
      const status = asKnownStatus(value);
      return status === null ? [] : [[letter, status] as const];
    }),
  );
}

function readLine(line: string): { personId: string; seen: SeenRow; shown: KnownStatus | "" } | null {
  const [personId = "", revision = "", shown = "", status = "", note = ""] = line.split(" ").map(decoded);
  if (personId === "" || !/^\d{1,15}$/.test(revision)) return null;
  const seen = { revision: Number(revision), status: asKnownStatus(status) ?? "", note } as const;
  return { personId, seen, shown: asKnownStatus(shown) ?? "" };
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return "";
  }
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

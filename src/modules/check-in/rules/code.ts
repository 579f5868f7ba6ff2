import { codeMs } from "./limits.ts";
import { plainDigits } from "../../../kernel/text.ts";

/** Nothing that is taken for something else on a screen far away, and no vowels, so that no code is a word. */
const letters = "23456789BCDFGHJKMNPQRSTVWXYZ";
const codeLength = 6;

/** How many codes there are. */
export const codeCount = letters.length ** codeLength;

/** A code of the beginning of a digest; of 48 bits, so that none comes much more often than another. */
export function codeOf(digest: Uint8Array): string {
  let rest = digest.slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0) % codeCount;
  let code = "";
  while (code.length < codeLength) {
    code += letters.charAt(rest % letters.length);
    rest = Math.floor(rest / letters.length);
  }
  return code;
}

/** As typed on any keyboard or copied: only letters and digits count, in any case. Null for what can be no code. */
export function readCode(typed: string): string | null {
  const code = plainDigits(typed.normalize("NFKC"))
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toUpperCase();
  return code.length === codeLength && Array.from(code).every((letter) => letters.includes(letter))
    ? code
    : null;
}

/** "K7M 2PX" */
export function shownCode(code: string): string {
  return `${code.slice(0, codeLength / 2)} ${code.slice(codeLength / 2)}`;
}

/** Which code is the newest, counted from the start; and when the next one comes (ms). */
export function turnAt(startedAt: number, now: number): { turn: number; endsAt: number } {
  const turn = Math.max(0, Math.floor((now - startedAt) / codeMs));
  return { turn, endsAt: startedAt + (turn + 1) * codeMs };
}

/** Of which a code is taken now: the newest, and the one before it. */
export function turnsTaken(startedAt: number, now: number): number[] {
  const { turn } = turnAt(startedAt, now);
  return turn === 0 ? [turn] : [turn, turn - 1];
}

import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { codeOf, turnAt, turnsTaken } from "./rules/code.ts";
import type { CheckIn } from "./rules/records.ts";

/** The codes of a check-in. They are computed from the time, so that all instances agree and nothing is stored. */
export type Codes = {
  /** The newest, and when the next one comes (ms). */
  newest: (checkIn: CodesOf, now: number) => { code: string; endsAt: number };
  /** @param code As `readCode` reads it. */
  fits: (checkIn: CodesOf, code: string, now: number) => boolean;
};

type CodesOf = Pick<CheckIn, "id" | "startedAt">;

/** Codes under SECRET_KEY; ones under the previous key are taken, too. */
export function createCodes(deps: { secretKey: string; secretKeyPrevious: string | undefined }): Codes {
  const { secretKey, secretKeyPrevious } = deps;
  const keyOf = (secret: string) => new Uint8Array(hkdfSync("sha256", secret, "spaces-lti", "check-in", 32));
  const current = keyOf(secretKey);
  const keys = [current, ...(secretKeyPrevious === undefined ? [] : [keyOf(secretKeyPrevious)])];
  const codeUnder = (key: Uint8Array, { id, startedAt }: CodesOf, turn: number) =>
    codeOf(
      createHmac("sha256", key)
        .update(`${id} ${String(startedAt)} ${String(turn)}`)
        .digest(),
    );
  return {
    newest: (checkIn, now) => {
      const { turn, endsAt } = turnAt(checkIn.startedAt, now);
      return { code: codeUnder(current, checkIn, turn), endsAt };
    },
    fits: (checkIn, code, now) =>
      turnsTaken(checkIn.startedAt, now).some((turn) =>
        keys.some((key) => isSame(codeUnder(key, checkIn, turn), code)),
      ),
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../kernel/clock.ts";
import type { Ids } from "../../../kernel/ids.ts";

/**
 * Browsers in which the right password was given before. Wrong passwords from one are counted apart, so whoever guesses
 * elsewhere cannot lock its people out. It gives no right: the password is asked for all the same.
 */
export type ConsoleDevices = {
  /** After the right password. @param known The browser's id when it has one. */
  tokenFor: (known: string | null) => string;
  /** The browser's id; null when the token is missing, forged, too old, or from before ADMIN_PASSWORD was changed. */
  read: (token: string | null) => string | null;
};

export type ConsoleDevicesDeps = {
  secretKey: string;
  secretKeyPrevious: string | undefined;
  adminPassword: string | undefined;
  clock: Clock;
  ids: Ids;
};

/** How long a browser is known after its latest log-in (seconds). */
export const deviceSeconds = 180 * 24 * 3600;

/** Under a key made of SECRET_KEY and ADMIN_PASSWORD; nothing is stored. */
export function createConsoleDevices(deps: ConsoleDevicesDeps): ConsoleDevices {
  const { secretKey, secretKeyPrevious, clock, ids } = deps;
  const password = createHash("sha256")
    .update(deps.adminPassword ?? "")
    .digest();
  const keys = [secretKey, ...(secretKeyPrevious === undefined ? [] : [secretKeyPrevious])].map((key) =>
    Buffer.from(hkdfSync("sha256", key, password, "spaces-lti console-device", 32)),
  );
  const [current = Buffer.alloc(32)] = keys;
  const signature = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  return {
    tokenFor: (known) => {
      const text = `${known ?? ids.secret(12)}.${Math.floor(clock.now() / 1000) + deviceSeconds}`;
      return `${text}.${signature(current, text).toString("base64url")}`;
    },
    read: (token) => {
      const [, text, id = "", endsAt, given = ""] =
        /^(([\w-]{16})\.(\d{1,12}))\.([\w-]{43})$/.exec(token ?? "") ?? [];
      if (text === undefined || Number(endsAt) * 1000 <= clock.now()) return null;
      const shown = Buffer.from(given, "base64url");
      return keys.some((key) => timingSafeEqual(signature(key, text), shown)) ? id : null;
    },
  };
}

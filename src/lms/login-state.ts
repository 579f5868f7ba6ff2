import { isSameSecret } from "../kernel/sealer.ts";
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import { type Ids, shortDigest } from "../kernel/ids.ts";
import { launchLifetimeMs } from "./limits.ts";

/** What a browser brings back from the LMS. We don't store it anywhere. */
type LoginFacts = {
  registrationId: string;
  /** `target_link_uri` of the login. The signed claim must agree with it. */
  targetLinkUri: string;
  storageTarget: string | null;
  answerTo: string | null;
  startedAt: number;
};

/** A login, read from its state. */
export type OpenedLogin = Omit<LoginFacts, "targetLinkUri"> & {
  /** Short and unique. Names the cookie and the values in the LMS's platform storage, where space is limited. */
  handle: string;
  nonce: string;
  /** Known only to the browser that started the login. */
  browserValue: string;
  /** Whether an address leads to the page that the login asked for. */
  hasTarget: (address: string) => boolean;
};

const purpose = "login state";
/** The salt before the sealed part; 16 characters as text. */
const saltBytes = 12;
const saltLength = 16;
const tagBytes = 16;
/** The last entry exists only if a frame waits, because LMSs limit the length of a state. */
const factsSchema = z.tuple([z.string(), z.string(), z.int(), z.string().nullable()]).rest(z.string());

export type LoginStates = ReturnType<typeof createLoginStates>;

/**
 * States that contain everything (AES-256-GCM), so a stranger's login stores nothing. Salt and SECRET_KEY give each state its own key,
 * nonce and browser value, so no key is used more than once. With Canvas's storage frame, a state has about 160 characters; of the
 * target it only contains a digest of the path.
 */
export function createLoginStates(deps: {
  secretKey: string;
  secretKeyPrevious: string | undefined;
  ids: Ids;
}) {
  const { secretKey, secretKeyPrevious, ids } = deps;
  const secrets = [secretKey, ...(secretKeyPrevious === undefined ? [] : [secretKeyPrevious])];
  return {
    seal: ({ registrationId, targetLinkUri, storageTarget, answerTo, startedAt }: LoginFacts) => {
      const handle = ids.secret(saltBytes);
      const { key, iv, nonce, browserValue } = derive(secretKey, handle);
      const plain = JSON.stringify([
        registrationId,
        pathDigest(targetLinkUri),
        Math.floor(startedAt / 1000),
        storageTarget,
        ...(answerTo === null ? [] : [answerTo]),
      ]);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return { state: handle + sealed.toString("base64url"), handle, nonce, browserValue };
    },
    /** Null for a state that neither SECRET_KEY nor SECRET_KEY_PREVIOUS sealed. */
    open: (state: string): OpenedLogin | null => {
      const handle = state.slice(0, saltLength);
      const sealed = Buffer.from(state.slice(saltLength), "base64url");
      if (sealed.length <= tagBytes) return null;
      for (const secret of secrets) {
        const { key, iv, nonce, browserValue } = derive(secret, handle);
        const plain = opened(key, iv, sealed);
        if (plain === null) continue;
        const [registrationId, target, seconds, storageTarget, answerTo = null] = factsSchema.parse(
          JSON.parse(plain),
        );
        return {
          registrationId,
          storageTarget,
          answerTo,
          startedAt: seconds * 1000,
          handle,
          nonce,
          browserValue,
          hasTarget: (address) => pathDigest(address) === target,
        };
      }
      return null;
    },
  };
}

function derive(secret: string, salt: string) {
  const bytes = Buffer.from(hkdfSync("sha256", secret, salt, `spaces-lti ${purpose}`, 92));
  return {
    // A key object: from bytes, each cipher would make one, which takes three times as long as everything else.
    key: createSecretKey(bytes.subarray(0, 32)),
    iv: bytes.subarray(32, 44),
    nonce: bytes.subarray(44, 68).toString("base64url"),
    browserValue: bytes.subarray(68).toString("base64url"),
  };
}

/** Null if the key is another one or a bit has changed. */
function opened(key: KeyObject, iv: Buffer, sealed: Buffer): string | null {
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes }).setAuthTag(
    sealed.subarray(-tagBytes),
  );
  const plain = decipher.update(sealed.subarray(0, -tagBytes), undefined, "utf8");
  try {
    return plain + decipher.final("utf8");
  } catch {
    return null;
  }
}

/** Only the path counts, because Canvas adds something to the query of one of the two addresses. */
function pathDigest(address: string): string {
  return shortDigest(new URL(address).pathname);
}

/**
 * The cookie with the browser value of one login, sent for ten minutes and only to the launch address.
 * @param launchUrl Over plain http (development) the cookie can't be Secure.
 */
export function createBrowserCookie(launchUrl: string) {
  const url = new URL(launchUrl);
  const secure = url.protocol === "https:";
  const options = {
    httpOnly: true,
    path: url.pathname,
    secure,
    // In an LMS's iframe we are a third party: only SameSite=None is sent, and only Partitioned survives cookie blocking.
    sameSite: secure ? ("none" as const) : ("lax" as const),
    partitioned: secure,
  };
  // The prefix keeps plain http pages, on this host or a neighbouring one, from setting it. "__Host-" requires path "/", so the
  // cookie would go to every path.
  const nameOf = (handle: string) => `${secure ? "__Secure-" : ""}lti_${handle}`;
  return {
    set: (response: Pick<Response, "cookie">, handle: string, value: string) =>
      response.cookie(nameOf(handle), value, { ...options, maxAge: launchLifetimeMs }),
    /** For a page that tries whether this browser stores such a cookie. */
    attributes: secure ? "SameSite=None; Secure; Partitioned" : "SameSite=Lax",
    /** Over plain http, the cookie isn't sent when another site posts, only when our own page does. */
    ownSiteOnly: !secure,
    clear: (response: Pick<Response, "cookie">, handle: string) =>
      response.cookie(nameOf(handle), "", { ...options, expires: new Date(1) }),
    /** Whether this browser has the value. */
    matches: ({ headers }: Pick<Request, "headers">, handle: string, value: string) => {
      const begin = `${nameOf(handle)}=`;
      const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
      const presented = pairs.find((pair) => pair.startsWith(begin))?.slice(begin.length);
      return presented !== undefined && isSameSecret(presented, value);
    },
  };
}

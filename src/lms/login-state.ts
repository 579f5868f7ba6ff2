import { isSameSecret } from "../kernel/sealer.ts";
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import { type Ids, shortDigest } from "../kernel/ids.ts";
import { launchLifetimeMs } from "./limits.ts";

/** What a browser brings back from the LMS; it is stored nowhere else. */
type LoginFacts = {
  registrationId: string;
  /** `target_link_uri` of the login; the signed claim must agree. */
  targetLinkUri: string;
  storageTarget: string | null;
  answerTo: string | null;
  startedAt: number;
};

/** A login as read from its state. */
export type OpenedLogin = Omit<LoginFacts, "targetLinkUri"> & {
  /** Short and unique; names the cookie and the values in the LMS's platform storage, which have little room. */
  handle: string;
  nonce: string;
  /** Known only to the browser that began the login. */
  browserValue: string;
  /** Whether an address leads to the page that the login asked for. */
  hasTarget: (address: string) => boolean;
};

const purpose = "login state";
/** In front of the sealed part, as 16 characters. */
const saltBytes = 12;
const saltLength = 16;
const tagBytes = 16;
/** The last one only where a frame waits: LMSs limit the length of a state. */
const factsSchema = z.tuple([z.string(), z.string(), z.int(), z.string().nullable()]).rest(z.string());

export type LoginStates = ReturnType<typeof createLoginStates>;

/**
 * States that carry everything (AES-256-GCM), so a stranger's login stores nothing. Salt and SECRET_KEY give the key of
 * this one state, which therefore never wears out, the nonce and the browser value. With Canvas's storage frame a state
 * has about 160 characters; of the target it has only a digest of the path.
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
    /** Null for a state that neither SECRET_KEY nor SECRET_KEY_PREVIOUS has sealed. */
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
    // A key object: of bytes each cipher makes one, which takes three times as long as the rest.
    key: createSecretKey(bytes.subarray(0, 32)),
    iv: bytes.subarray(32, 44),
    nonce: bytes.subarray(44, 68).toString("base64url"),
    browserValue: bytes.subarray(68).toString("base64url"),
  };
}

/** Null for another key or a changed bit. */
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

/** Only the path counts: Canvas adds its own marks to the query of one of the two. */
function pathDigest(address: string): string {
  return shortDigest(new URL(address).pathname);
}

/**
 * A value that only the login's sealed state gives, for one launch, ten minutes and the launch address only.
 * @param launchUrl Over plain http (development) the cookie cannot be Secure.
 */
export function createBrowserCookie(launchUrl: string) {
  const url = new URL(launchUrl);
  const secure = url.protocol === "https:";
  const options = {
    httpOnly: true,
    path: url.pathname,
    secure,
    // In an LMS iframe we are a third party: only SameSite=None is sent, and only Partitioned survives blocking.
    sameSite: secure ? ("none" as const) : ("lax" as const),
    partitioned: secure,
  };
  // The prefix keeps pages of plain http, on this host or a neighbour, from setting it. "__Host-" needs path "/", so it
  // would go to every path.
  const nameOf = (handle: string) => `${secure ? "__Secure-" : ""}lti_${handle}`;
  return {
    set: (response: Pick<Response, "cookie">, handle: string, value: string) =>
      response.cookie(nameOf(handle), value, { ...options, maxAge: launchLifetimeMs }),
    /** For a page that tries whether this browser keeps such a cookie. */
    attributes: secure ? "SameSite=None; Secure; Partitioned" : "SameSite=Lax",
    /** Over plain http it is not sent with a post of another site, only with one of our own page. */
    ownSiteOnly: !secure,
    clear: (response: Pick<Response, "cookie">, handle: string) =>
      response.cookie(nameOf(handle), "", { ...options, expires: new Date(1) }),
    /** Whether this browser was given the value. */
    matches: ({ headers }: Pick<Request, "headers">, handle: string, value: string) => {
      const begin = `${nameOf(handle)}=`;
      const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
      const presented = pairs.find((pair) => pair.startsWith(begin))?.slice(begin.length);
      return presented !== undefined && isSameSecret(presented, value);
    },
  };
}

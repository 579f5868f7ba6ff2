import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Sealer } from "../kernel/sealer.ts";
import { getOrMake } from "../kernel/lists.ts";
import {
  keyAgeMs,
  keyLeadMs,
  keyOverlapMs,
  maxOpenedKeys,
  renewalLeadMs,
  renewalSpreadMs,
  withdrawnRetentionMs,
} from "./limits.ts";
import type { ToolKey, ToolKeyPort } from "./ports.ts";

type PublicJwk = { kty: string; n: string; e: string; kid: string; alg: "RS256"; use: "sig" };

export type ToolKeys = ReturnType<typeof createToolKeys>;

/** A key without its private half. */
export type KeyState = {
  kid: string;
  createdAt: number;
  /** Signs from this moment on, until a newer key does (ms). */
  usedFrom: number;
  /** No longer published from this moment on (ms); null while nothing replaces it. */
  retiredAt: number | null;
  /** When the next key is published automatically (ms). */
  renewedAt: number;
};

export type NextKey = { kid: string; usedFrom: number };

const generate = promisify(generateKeyPair);
const publicNumbers = z.object({ kty: z.string(), n: z.string(), e: z.string() });

/** Our RSA-2048 key pairs, one for each registration (several during a rotation), with sealed private halves. */
export function createToolKeys(deps: { toolKeys: ToolKeyPort; sealer: Sealer; clock: Clock; ids: Ids }) {
  const { toolKeys, sealer, clock } = deps;
  const opened = new Map<string, KeyObject>();
  const beingMade = new Map<string, Promise<ToolKey>>();

  const open = (key: ToolKey): KeyObject =>
    getOrMake(opened, maxOpenedKeys, key.kid, () =>
      createPrivateKey(sealer.open(keyPurpose(key.kid), key.sealedPrivateKey)),
    );

  const make = async (registrationId: string, generation: number, notBefore: number): Promise<ToolKey> => {
    const pair = await generate("rsa", { modulusLength: 2048 });
    const kid = deps.ids.id("key");
    const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const key: ToolKey = {
      kid,
      registrationId,
      generation,
      publicKey: JSON.stringify(
        publicNumbers.parse(createPublicKey(pair.privateKey).export({ format: "jwk" })),
      ),
      sealedPrivateKey: sealer.seal(keyPurpose(kid), pem),
      notBefore,
      retiredAt: null,
      createdAt: clock.now(),
    };
    await toolKeys.insert(key);
    return key;
  };

  const usable = async (registrationId: string): Promise<ToolKey | undefined> => {
    const now = clock.now();
    const present = (await toolKeys.listOf(registrationId)).filter(
      ({ retiredAt }) => retiredAt === null || retiredAt > now,
    );
    // The only key isn't valid yet, because another process made it and its clock is ahead of ours.
    return present.find(({ notBefore }) => notBefore <= now) ?? present.at(-1);
  };

  /** Makes the next generation, or takes the one that another process made at the same moment. */
  const makeOrTake = async (registrationId: string, newest: number, notBefore: number): Promise<ToolKey> => {
    try {
      return await make(registrationId, newest + 1, notBefore);
    } catch (thrown) {
      if (!(thrown instanceof NamedError) || thrown.code !== "tool-key-exists") throw thrown;
      const [theirs] = await toolKeys.listOf(registrationId);
      if (theirs === undefined) throw thrown;
      return theirs;
    }
  };

  const makeFirst = async (registrationId: string): Promise<ToolKey> =>
    makeOrTake(registrationId, (await toolKeys.listOf(registrationId))[0]?.generation ?? 0, clock.now());

  /** Retires keys; the earlier time wins. Also completes a rotation that broke off half-way. */
  const withdraw = async (keys: readonly ToolKey[], except: ToolKey, at: number): Promise<void> => {
    for (const { kid, retiredAt } of keys) {
      if (kid !== except.kid && (retiredAt === null || retiredAt > at)) await toolKeys.retire(kid, at);
    }
  };

  const resealOne = async (key: ToolKey): Promise<boolean> => {
    try {
      const purpose = keyPurpose(key.kid);
      const sealed = sealer.seal(purpose, sealer.open(purpose, key.sealedPrivateKey));
      await toolKeys.reseal(key.kid, key.sealedPrivateKey, sealed);
      return true;
    } catch (thrown) {
      if (thrown instanceof NamedError && thrown.code === "sealed-with-unknown-key") return false;
      throw thrown;
    }
  };

  /** Publishes the next key now and uses it after `leadMs`. If a key already waits, returns that one, so two operators make one key. */
  const rotate = async (registrationId: string, leadMs = keyLeadMs): Promise<NextKey> => {
    const now = clock.now();
    const present = await toolKeys.listOf(registrationId);
    const [newest] = present;
    const waiting = newest !== undefined && newest.notBefore > now ? newest : undefined;
    // If nothing signs yet, there is no need to wait for an LMS to fetch the key.
    const usedFrom = (await usable(registrationId)) === undefined ? now : now + leadMs;
    const next = waiting ?? (await makeOrTake(registrationId, newest?.generation ?? 0, usedFrom));
    await withdraw(present, next, next.notBefore + keyOverlapMs);
    return { kid: next.kid, usedFrom: next.notBefore };
  };

  return {
    /** The key that signs for this LMS now. Made (off the event loop) if there is none. */
    signingKey: async (registrationId: string) => {
      const existing = await usable(registrationId);
      if (existing !== undefined) return { kid: existing.kid, privateKey: open(existing) };
      const running =
        beingMade.get(registrationId) ??
        makeFirst(registrationId).finally(() => beingMade.delete(registrationId));
      beingMade.set(registrationId, running);
      const key = await running;
      return { kid: key.kid, privateKey: open(key) };
    },
    /** Keys in use, keys not used yet, and keys that were just replaced. */
    publicKeys: async (): Promise<PublicJwk[]> =>
      (await toolKeys.list())
        .filter(({ retiredAt }) => retiredAt === null || retiredAt > clock.now())
        .map((key) => ({
          ...publicNumbers.parse(JSON.parse(key.publicKey)),
          kid: key.kid,
          alg: "RS256",
          use: "sig",
        })),
    /** Newest first: keys in use, keys not used yet, and retired keys until they are deleted. */
    list: async (registrationId: string): Promise<KeyState[]> =>
      (await toolKeys.listOf(registrationId)).map(({ kid, createdAt, notBefore, retiredAt }) => ({
        kid,
        createdAt,
        usedFrom: notBefore,
        retiredAt,
        renewedAt: renewedAt({ kid, notBefore }),
      })),
    /** For an operator: the next key is used after an hour. */
    rotate: (registrationId: string): Promise<NextKey> => rotate(registrationId),
    /**
     * Publishes the next key if the newest one is about to reach its age, and completes a rotation that broke off.
     * @returns the new key, or null if it wasn't time.
     */
    renew: async (registrationId: string): Promise<NextKey | null> => {
      const present = await toolKeys.listOf(registrationId);
      const [newest] = present;
      if (newest === undefined) return null;
      await withdraw(present, newest, newest.notBefore + keyOverlapMs);
      return renewedAt(newest) > clock.now() ? null : rotate(registrationId, renewalLeadMs);
    },
    /**
     * For a compromised key: signs with a new key from now on and withdraws the others immediately. An LMS may refuse the tool's calls until
     * it fetches the key set again.
     * @throws NamedError "tool-key-exists" (temporary) when another process made the next key at the same moment.
     */
    replaceNow: async (registrationId: string): Promise<NextKey> => {
      const now = clock.now();
      const present = await toolKeys.listOf(registrationId);
      const next = await make(registrationId, (present[0]?.generation ?? 0) + 1, now);
      await withdraw(present, next, now);
      return { kid: next.kid, usedFrom: now };
    },
    /** Deletes keys that were withdrawn a week ago. @returns how many */
    sweep: async () => {
      const over = (await toolKeys.list()).filter(
        ({ retiredAt }) => retiredAt !== null && retiredAt + withdrawnRetentionMs <= clock.now(),
      );
      for (const { kid } of over) await toolKeys.remove(kid);
      return over.length;
    },
    /** Seals keys with the current SECRET_KEY. @returns how many, and the ids of keys that neither secret opens. */
    reseal: async () => {
      const keys = await toolKeys.list();
      const unreadable: string[] = [];
      for (const key of keys) if (!(await resealOne(key))) unreadable.push(key.kid);
      return { resealed: keys.length - unreadable.length, unreadable };
    },
  };
}

/** When the key after this one is published (ms). No key signs longer than `keyAgeMs`, and not all LMSs fetch new keys on the same day. */
function renewedAt({ kid, notBefore }: Pick<ToolKey, "kid" | "notBefore">): number {
  const share = createHash("sha256").update(kid).digest().readUInt16BE(0) / 0x1_00_00;
  return notBefore + keyAgeMs - renewalLeadMs - Math.floor(share * renewalSpreadMs);
}

/** The purpose of a sealed private key, so it can't be opened as another key. */
function keyPurpose(kid: string): string {
  return `tool-key ${kid}`;
}

/** How many private keys are sealed with which secret. */
export async function sealingState(deps: {
  toolKeys: Pick<ToolKeyPort, "list">;
  current: Sealer;
  /** Opens values sealed with SECRET_KEY or SECRET_KEY_PREVIOUS. */
  either: Sealer;
  previousIsSet: boolean;
}) {
  const counts = {
    current: 0,
    /** Sealed with SECRET_KEY_PREVIOUS; `reseal` brings them over. */
    previous: 0,
    /** Neither secret opens them. */
    unreadable: 0,
  };
  for (const { kid, sealedPrivateKey } of await deps.toolKeys.list()) {
    const opens = (sealer: Sealer) => canOpen(sealer, kid, sealedPrivateKey);
    if (opens(deps.current)) counts.current += 1;
    else if (opens(deps.either)) counts.previous += 1;
    else counts.unreadable += 1;
  }
  return { ...counts, previousIsSet: deps.previousIsSet };
}

function canOpen(sealer: Sealer, kid: string, sealed: string): boolean {
  try {
    sealer.open(keyPurpose(kid), sealed);
    return true;
  } catch {
    return false;
  }
}

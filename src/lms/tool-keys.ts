import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Sealer } from "../kernel/sealer.ts";
import type { ToolKey, ToolKeyPort } from "./ports.ts";

export type ToolKeysDeps = { toolKeys: ToolKeyPort; sealer: Sealer; clock: Clock; ids: Ids };

/** A public key as the key set shows it. */
export type PublicJwk = { kty: string; n: string; e: string; kid: string; alg: "RS256"; use: "sig" };

export type ToolKeys = {
  /** The key that signs towards this LMS now; made (off the event loop) when there is none. */
  signingKey: (registrationId: string) => Promise<{ kid: string; privateKey: KeyObject }>;
  /** Everything an LMS may need to verify us: keys in use, keys not yet used and keys just replaced. */
  publicKeys: () => Promise<PublicJwk[]>;
  /** Makes the next key: published now, used in an hour; the present one stays published for a day more. */
  rotate: (registrationId: string) => Promise<{ kid: string }>;
};

const generate = promisify(generateKeyPair);
const leadTime = 60 * 60_000;
const overlap = 24 * 60 * 60_000;
const maxOpened = 500;
const publicNumbers = z.object({ kty: z.string(), n: z.string(), e: z.string() });

/** Our RSA-2048 pairs, one for each registration (several during a rotation), private halves sealed at rest. */
export function createToolKeys(deps: ToolKeysDeps): ToolKeys {
  const { toolKeys, sealer, clock } = deps;
  const opened = new Map<string, KeyObject>();
  const beingMade = new Map<string, Promise<ToolKey>>();

  const open = (key: ToolKey): KeyObject => {
    const known = opened.get(key.kid);
    if (known !== undefined) return known;
    const privateKey = createPrivateKey(sealer.open(purposeOf(key.kid), key.sealedPrivateKey));
    if (opened.size >= maxOpened) opened.clear();
    opened.set(key.kid, privateKey);
    return privateKey;
  };

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
      sealedPrivateKey: sealer.seal(purposeOf(kid), pem),
      notBefore,
      retiredAt: null,
      createdAt: clock.now(),
    };
    await toolKeys.insert(key);
    return key;
  };

  const usable = async (registrationId: string): Promise<ToolKey | undefined> =>
    (await toolKeys.listOf(registrationId)).find(
      (key) => key.notBefore <= clock.now() && (key.retiredAt === null || key.retiredAt > clock.now()),
    );

  const makeFirst = async (registrationId: string): Promise<ToolKey> => {
    const newest = (await toolKeys.listOf(registrationId))[0]?.generation ?? 0;
    try {
      return await make(registrationId, newest + 1, clock.now());
    } catch (thrown) {
      if (!(thrown instanceof NamedError) || thrown.code !== "tool-key-exists") throw thrown;
      const theirs = await usable(registrationId);
      if (theirs === undefined) throw thrown;
      return theirs;
    }
  };

  return {
    signingKey: async (registrationId) => {
      const existing = await usable(registrationId);
      if (existing !== undefined) return { kid: existing.kid, privateKey: open(existing) };
      const running =
        beingMade.get(registrationId) ??
        makeFirst(registrationId).finally(() => beingMade.delete(registrationId));
      beingMade.set(registrationId, running);
      const key = await running;
      return { kid: key.kid, privateKey: open(key) };
    },
    publicKeys: async () =>
      (await toolKeys.list())
        .filter(({ retiredAt }) => retiredAt === null || retiredAt > clock.now())
        .map((key) => ({
          ...publicNumbers.parse(JSON.parse(key.publicKey)),
          kid: key.kid,
          alg: "RS256",
          use: "sig",
        })),
    rotate: async (registrationId) => {
      const now = clock.now();
      const present = await toolKeys.listOf(registrationId);
      const next = await make(registrationId, (present[0]?.generation ?? 0) + 1, now + leadTime);
      for (const { kid, retiredAt } of present) {
        if (retiredAt === null) await toolKeys.retire(kid, now + leadTime + overlap);
      }
      return { kid: next.kid };
    },
  };
}

function purposeOf(kid: string): string {
  return `tool-key ${kid}`;
}

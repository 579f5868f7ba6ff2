// Imitates nothing.
import { compactVerify, decodeProtectedHeader, importJWK } from "jose";
import { z } from "zod";
import type { Logger } from "../../src/kernel/logger.ts";
import type { Tool } from "./lms-records.ts";

const keySchema = z.looseObject({ kid: z.string().optional() });
const keysetSchema = z.object({ keys: z.array(keySchema) });
/** A tool's key needs no `alg`, so only its numbers are taken. */
const rsaKeySchema = z.object({ kty: z.literal("RSA"), n: z.string(), e: z.string() });
type Keyset = z.output<typeof keySchema>[];

/** In Moodle's words. */
export class SignatureRefused extends Error {}

/** Keysets are cached and read again when a signature does not verify, so that rotation works at once. */
export type ToolKeysets = {
  /** @throws SignatureRefused unless the token is signed by a key of the tool's keyset. */
  verify: (tool: Tool, token: string) => Promise<void>;
};

export function createToolKeysets(deps: { fetch: typeof fetch; logger: Logger }): ToolKeysets {
  const kept = new Map<string, Keyset>();
  const read = async (tool: Tool): Promise<Keyset> => {
    try {
      const answer = await deps.fetch(tool.jwksUrl, { signal: AbortSignal.timeout(10_000) });
      return keysetSchema.parse(await answer.json()).keys;
    } catch (error) {
      deps.logger.warn({ jwksUrl: tool.jwksUrl, reason: String(error) }, "a tool's keyset cannot be read");
      throw new SignatureRefused("Could not read the keyset of the tool");
    }
  };
  return {
    verify: async (tool, token) => {
      const keyset = kept.get(tool.id);
      if (keyset !== undefined && (await verifies(token, keyset).catch(() => false))) return;
      const fresh = await read(tool);
      kept.set(tool.id, fresh);
      if (!(await verifies(token, fresh))) throw new SignatureRefused("Signature verification failed");
    },
  };
}

async function verifies(token: string, keyset: Keyset): Promise<boolean> {
  const { kid, alg } = decodeProtectedHeader(token);
  if (alg !== "RS256") throw new SignatureRefused("Algorithm not allowed");
  if (kid === undefined) throw new SignatureRefused('"kid" empty, unable to lookup correct key');
  const key = rsaKeySchema.safeParse(keyset.find((candidate) => candidate.kid === kid));
  if (!key.success) throw new SignatureRefused('"kid" invalid, unable to lookup correct key');
  try {
    await compactVerify(token, await importJWK(key.data, "RS256"));
    return true;
  } catch {
    return false;
  }
}

import type { App } from "../../app.ts";
import type { Registration } from "../../domain/registration.ts";
import { toolKeyStates } from "../registration/rules/registration.ts";
import type { SealingState, ToolKeys } from "../../lms/tool-keys.ts";
import type { KeyRow } from "./show-registration.ts";

export type ListAllKeysDeps = Pick<App, "registrations" | "clock"> & {
  signingKeys: Pick<ToolKeys, "list">;
  /** Under which of the tool's secrets the keys are sealed. */
  sealingState: () => Promise<SealingState>;
};

export type KeysOfLms = {
  registration: Registration;
  keys: readonly (KeyRow & { days: number })[];
  /** Whether a key waits for its turn; another rotation would only lead to that one. */
  rotating: boolean;
};

const dayMs = 24 * 3_600_000;

/** All published keys, and how they are sealed. */
export async function listAllKeys(
  deps: ListAllKeysDeps,
): Promise<{ rows: readonly KeysOfLms[]; sealing: SealingState }> {
  const registrations = await deps.registrations.list();
  const rows = await Promise.all(registrations.map((registration) => keysOf(deps, registration)));
  return { rows, sealing: await deps.sealingState() };
}

async function keysOf(
  { signingKeys, clock }: ListAllKeysDeps,
  registration: Registration,
): Promise<KeysOfLms> {
  const now = clock.now();
  const known = await signingKeys.list(registration.id);
  const states = toolKeyStates(known, now);
  const keys = known.flatMap((key, index) => {
    const state = states[index] ?? "over";
    return state === "over" ? [] : [{ ...key, state, days: Math.floor((now - key.createdAt) / dayMs) }];
  });
  return { registration, keys, rotating: keys.some(({ state }) => state === "published") };
}

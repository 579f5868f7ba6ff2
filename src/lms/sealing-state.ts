import type { Sealer } from "../kernel/sealer.ts";
import { keyPurpose } from "./tool-keys.ts";
import type { ToolKeyPort } from "./ports.ts";

/** How many private keys are sealed under which secret. */
export type SealingState = {
  current: number;
  /** Under SECRET_KEY_PREVIOUS: `reseal` brings them over. */
  previous: number;
  /** Neither secret opens them. */
  unreadable: number;
  previousIsSet: boolean;
};

export async function sealingState(deps: {
  toolKeys: Pick<ToolKeyPort, "list">;
  current: Sealer;
  /** Opens what is sealed under SECRET_KEY or SECRET_KEY_PREVIOUS. */
  either: Sealer;
  previousIsSet: boolean;
}): Promise<SealingState> {
  const counts = { current: 0, previous: 0, unreadable: 0 };
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

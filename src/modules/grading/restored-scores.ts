import type { App } from "../../app.ts";
import type { Delivery } from "./rules/delivery.ts";
import { mayHaveBeenOurs } from "../operations/rules/restore.ts";

export type RestoreOfDeps = Pick<App, "restores" | "clock">;

/** When the database was restored (ms), if the score was not compared since or the backup lacks it; else null. */
export async function restoreOf(
  { restores, clock }: RestoreOfDeps,
  delivery: Pick<Delivery, "restoredAt" | "accepted" | "unconfirmed" | "overruled">,
): Promise<number | null> {
  const { restoredAt = null, accepted, unconfirmed, overruled } = delivery;
  if (restoredAt !== null) return restoredAt;
  if (accepted !== null || unconfirmed.length > 0 || overruled !== null) return null;
  const latest = await restores.latest();
  return latest !== null && mayHaveBeenOurs(latest, clock.now()) ? latest.restoredAt : null;
}

import { reconcileNext, type ReconcileEventDeps } from "./reconcile-event.ts";

/** Milliseconds, so that a backlog takes at most half of the throttle. */
const pauseMs = 500;

export function readingStep(
  deps: Omit<ReconcileEventDeps, "ending">,
): (ending: AbortSignal) => Promise<boolean> {
  return async (ending) => {
    const read = await reconcileNext({ ...deps, ending });
    if (read) await deps.clock.sleep(pauseMs, ending).catch(() => undefined);
    return read;
  };
}

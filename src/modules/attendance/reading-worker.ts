import { reconcileNext, type ReconcileEventDeps } from "./reconcile-event.ts";

/** After each reading the classroom is left alone for so long (ms): a backlog takes no more than half its share. */
const restsBetween = 500;

/** One step of reading attendance from the classroom. Where thousands wait, they go one after the other. */
export function readingStep(
  deps: Omit<ReconcileEventDeps, "ending">,
): (ending: AbortSignal) => Promise<boolean> {
  return async (ending) => {
    const read = await reconcileNext({ ...deps, ending });
    if (read) await deps.clock.sleep(restsBetween, ending).catch(() => undefined);
    return read;
  };
}

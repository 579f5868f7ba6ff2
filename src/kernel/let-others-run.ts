/**
 * Gives the event loop a turn, so that a long list does not make everybody else wait.
 * Called between slices of a few hundred items each.
 */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

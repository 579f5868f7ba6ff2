/** Gives the event loop a turn; called between batches of a few hundred items. */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { DueKind } from "../../storage/due-heads.ts";
import { createWorker, type Worker } from "../../tasks/create-worker.ts";
import { type Work, wokenFor } from "../../tasks/work.ts";
import { maxFewAccounts } from "./rules/limits.ts";

/**
 * One worker for each account, made when the account first has work: accounts never wait for each other, and idle ones
 * cost nothing.
 * @param kind The queue; its scopes are accounts.
 */
export function workersByAccount(
  app: Pick<App, "accounts" | "dueHeads" | "clock" | "logger">,
  kind: DueKind,
  make: (account: AccountId) => Worker,
): Work {
  const workers = new Map<AccountId, Worker>();
  let stopping = false;
  const wake = (account: AccountId) => {
    if (stopping) return;
    const known = workers.get(account);
    if (known !== undefined) {
      known.wake();
      return;
    }
    const made = make(account);
    workers.set(account, made);
    made.start();
  };
  const finding = createWorker(app, {
    name: `accounts with ${kind}`,
    lanes: 1,
    step: async () => {
      const all = app.accounts.ids();
      const due = all.length <= maxFewAccounts ? all : await app.dueHeads.scopesDue(kind, app.clock.now());
      for (const account of due) wake(account);
      return false;
    },
  });
  return wokenFor(
    {
      ...finding,
      stop: async () => {
        stopping = true;
        await Promise.all([finding, ...workers.values()].map((worker) => worker.stop()));
      },
    },
    kind,
  );
}

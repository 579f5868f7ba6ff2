import { Router } from "express";
import { showAccount } from "../../accounts/known-accounts.ts";
import {
  type AccountUse,
  accountUseOf,
  removeAccount,
  useThatRefused,
} from "../../operations/remove-account.ts";
import { accountRemovePage, lineOf } from "./account-views.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate, Visit } from "./gate.ts";

/** Of an account that nothing belongs to. For operators only. */
export function accountRemovalPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  const path = "/accounts/:account/remove";
  const parts = ({ asOperator }: Visit) => ({ ...deps, ...asOperator });
  router.get(
    path,
    gate.page(async (visit) => {
      await showRemoval(deps, visit, await accountUseOf(parts(visit), visit.part("account")));
    }),
  );
  router.post(
    path,
    gate.action(async (visit) => {
      try {
        await removeAccount(parts(visit), visit.part("account"));
        visit.goTo("/admin/accounts", "removed");
      } catch (thrown) {
        const use = useThatRefused(thrown);
        if (use === null) throw thrown;
        visit.response.status(409);
        await showRemoval(deps, visit, use);
      }
    }),
  );
  return router;
}

async function showRemoval(
  deps: ConsoleApp,
  { show, part, t }: Visit,
  use: AccountUse | null,
): Promise<void> {
  const account = lineOf(deps, t, await showAccount(deps, part("account")));
  show({
    view: accountRemovePage,
    title: t("accounts.remove.heading", { name: account.shownName }),
    area: "accounts",
    model: { account, use },
  });
}

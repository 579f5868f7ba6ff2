import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";

/** Accounts that the latest examination found something wrong with. */
export async function unwellAccounts({ doctorRuns }: Pick<App, "doctorRuns">): Promise<readonly AccountId[]> {
  const run = await doctorRuns.find();
  return (run?.found?.environments ?? []).flatMap(({ environment, findings }) =>
    findings.some(({ level }) => level === "wrong") ? [environment] : [],
  );
}

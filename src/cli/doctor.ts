import { examineAll } from "../classroom/doctor/examine-all.ts";
import { finding } from "../classroom/doctor/finding.ts";
import { createExchanges } from "../classroom/exchange.ts";
import { randomIds } from "../kernel/ids.ts";
import { examineDatabase } from "../storage/examine-database.ts";
import { type Command, UsageError } from "./command.ts";
import { doctorText } from "./doctor-text.ts";
import { accountNamed } from "./account-named.ts";
import { openAccounts } from "./open-accounts.ts";

/** doctor [--account ID] [--create [--space ID]] */
export const doctor: Command = async (tools) => {
  const { create, space, account, environment } = tools.values;
  if (space !== undefined && !create) throw new UsageError("--space is used with --create only.");
  const config = tools.config();
  const { throttle: store, addresses, classroomAccounts } = await tools.stores();
  const known = await openAccounts(config, { classroomAccounts });
  const accounts =
    account === undefined && environment === undefined
      ? known.list().filter(({ paused }) => !paused)
      : [accountNamed(tools.values, known)];
  if (create) {
    const names = accounts.map(({ id }) => id).join(" and ");
    const aSpace = space === undefined ? ", a Space" : "";
    tools.say(
      `--create makes an API user of each role${aSpace} and a login, named "spaces-lti doctor ...", in ${names}.\nUsers and Spaces cannot be deleted through the classroom's interface.`,
    );
  }
  const onAccount = (id: string) => tools.say(`Asking the ${id} classroom ...`);
  const ofDatabase = (await examineDatabase(await tools.database())).map(({ level, message, todo }) =>
    finding(level, "database", message, todo === null ? {} : { todo }),
  );
  const examined = await examineAll(
    {
      config,
      store,
      addresses,
      open: createExchanges({ proxyEnv: config.outgoingProxy }),
      clock: await tools.clock(),
      ids: randomIds,
      onAccount,
    },
    { accounts, create, spaceId: space ?? null },
  );
  const report = {
    ...examined,
    tool: [...ofDatabase, ...examined.tool],
    well: examined.well && ofDatabase.every(({ level }) => level !== "wrong"),
  };
  return { text: doctorText(report), json: report, bad: !report.well };
};

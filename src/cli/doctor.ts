import { examineAll } from "../classroom/doctor/examine-all.ts";
import { createExchanges } from "../classroom/exchange.ts";
import type { ClassroomEnvironment } from "../classroom/environment.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../kernel/clock.ts";
import { randomIds } from "../kernel/ids.ts";
import { type Command, UsageError } from "./command.ts";
import { doctorText } from "./doctor-text.ts";
import { environmentOf } from "./environment-of.ts";

/** doctor [--environment NAME] [--create [--space ID]] */
export const doctor: Command = async (tools) => {
  const { create, space, environment } = tools.values;
  if (space !== undefined && !create) throw new UsageError("--space is used with --create only.");
  const config = tools.config();
  const environments = chosen(environment, config);
  if (create) {
    const names = environments.map(({ name }) => name).join(" and ");
    const aSpace = space === undefined ? " a Space," : "";
    tools.say(
      `--create makes an API user of each role,${aSpace} a login and an event, named "spaces-lti doctor ...", in ${names}.\nUsers and Spaces cannot be deleted through the classroom's interface.`,
    );
  }
  const { throttle: store, addresses } = await tools.stores();
  const onEnvironment = (name: string) => tools.say(`Asking the ${name} classroom ...`);
  const report = await examineAll(
    { config, store, addresses, open: createExchanges(), clock: systemClock, ids: randomIds, onEnvironment },
    { environments, create, spaceId: space ?? null },
  );
  return { text: doctorText(report), json: report, bad: !report.well };
};

function chosen(name: string | undefined, config: Config): ClassroomEnvironment[] {
  if (name === undefined) return Object.values(config.environments);
  const environment = config.environments[environmentOf(name, config)];
  return environment === undefined ? [] : [environment];
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { freePort } from "../../../sandbox/tool-process.ts";
import { until } from "../until.ts";

/** WebKitGTK's driver, with a new display if none is set. */
export type WebkitDriver = {
  /** A command of the WebDriver protocol. @throws with the driver's message if it fails. */
  ask: (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<unknown>;
  end: () => Promise<void>;
};

/** How long the driver may take until it listens on a slow machine (ms). */
const patience = 30_000;

/** Runs a program until its input ends, as it does when the tests are killed: no process stays. */
const keeper = `exec 4<&0
"$@" 4<&- & program=$!
{ cat <&4 >/dev/null; kill $program; } >/dev/null 2>&1 &
exec 4<&-
wait $program`;

function keep(program: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn("/bin/sh", ["-c", keeper, "sh", ...program], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const end = async (): Promise<void> => {
    child.stdin.end();
    if (!hasEnded()) await once(child, "exit");
  };
  return { child, hasEnded, end };
}

/** Starts an invisible display. @returns its name. @throws when there is no Xvfb. */
async function startDisplay(env: NodeJS.ProcessEnv): Promise<{ name: string; end: () => Promise<void> }> {
  const { child, end } = keep(
    ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
    env,
  );
  const [number] = await Promise.race([once(child.stdout, "data"), once(child, "exit").then(() => [null])]);
  if (number !== null) return { name: `:${String(number).trim()}`, end };
  await end();
  throw new Error("Xvfb does not start");
}

/** @param program The driver's path. @throws when it does not start, or no display does. */
export async function startWebkitDriver(
  program: string,
  variables: NodeJS.ProcessEnv,
): Promise<WebkitDriver> {
  const display = variables["DISPLAY"] === undefined ? await startDisplay(variables) : null;
  const port = String(await freePort());
  const driver = keep([program, `--port=${port}`], {
    ...variables,
    ...(display === null ? {} : { DISPLAY: display.name }),
  });
  const end = async (): Promise<void> => {
    await driver.end();
    await display?.end();
  };
  const ask: WebkitDriver["ask"] = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = answered.parse(await answer.json());
    if (answer.ok) return value;
    const { error, message } = failed.parse(value);
    throw new Error(`${error}: ${message}`);
  };
  const isReady = async (): Promise<boolean> => {
    if (driver.hasEnded()) throw new Error("it ended before it listened");
    return ask("GET", "/status").then(
      () => true,
      () => false,
    );
  };
  try {
    await until(patience, "WebKit's driver listens", isReady, 20);
    return { ask, end };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

const answered = z.object({ value: z.unknown() });
const failed = z.object({ error: z.string(), message: z.string() });

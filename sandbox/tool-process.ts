import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { cp, mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type ToolProcess = {
  child: ChildProcess;
  output: () => string;
  /** @returns its exit code, null when the signal killed it. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
};

const root = fileURLToPath(new URL("..", import.meta.url));

export const toolSource = join(root, "src/main.ts");
/** TOOL_PROGRAM may name the same program in one file, which starts sooner. */
const toolProgram = process.env.TOOL_PROGRAM ?? toolSource;

/**
 * For every process of the tool: its compile cache, which halves the start. It is stored with the packages: in the machine's temporary
 * folder another user could place code for us to run.
 */
export function ofEveryProcess(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, "node_modules/.cache/node"),
  };
}

/** A folder for a database. EMPTY_DATABASE may name one with all collections, all empty; copying it is faster than creating one. */
export async function databaseFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-lti-data-"));
  const empty = process.env.EMPTY_DATABASE;
  if (empty !== undefined) await cp(empty, folder, { recursive: true });
  return folder;
}

/** With only these variables (and those of every process); resolves when ready. */
export async function startToolProcess(
  variables: Record<string, string>,
  program = toolProgram,
): Promise<ToolProcess> {
  // Room for new objects (MiB), so that a start need not collect what is still used: an eighth less CPU.
  const child = spawn(process.execPath, ["--min-semi-space-size=8", program], {
    cwd: tmpdir(), // away from a developer's .env
    env: { ...ofEveryProcess(), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const tool: ToolProcess = {
    child,
    output: () => printed,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the tool ended with ${child.exitCode}:\n${printed}`);
    if (await isReady(`http://127.0.0.1:${variables.PORT ?? "3000"}/readyz`)) return tool;
    if (Date.now() > deadline) {
      await tool.end("SIGKILL");
      throw new Error(`the tool did not get ready:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Below the ports that Linux gives to outgoing connections, one of which could take the port before the tool listens on it. */
const ownPorts = [10_000, 32_768] as const;

/** `wanted` if it is free on this machine, otherwise any free port. */
export async function freePort(wanted = 0): Promise<number> {
  let port = wanted;
  while (port === 0 || !(await isFree(port))) port = randomInt(...ownPorts);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

import { freePort, startToolProcess, type ToolProcess } from "../../../sandbox/tool-process.ts";
import { type Balancer, startBalancer } from "./balancer.ts";

/** One of several instances of the tool. */
export type ToolInstance = {
  url: string;
  /** Its process now. */
  tool: () => ToolProcess;
  /** Starts it again after it was ended. */
  restart: () => Promise<void>;
};

/** Several instances on one database behind a load balancer; as one tool, they end together. */
export type ToolCluster = ToolProcess & { instances: readonly ToolInstance[]; balancer: Balancer };

/** How many instances the variable TOOL_PROCESSES asks of every story; 1 when it is not set. */
export const wantedInstances = Number(process.env["TOOL_PROCESSES"] ?? 1);

/** The tool on the port its variables name: one process, or as many as TOOL_PROCESSES says behind a load balancer. */
export function startTool(variables: Record<string, string>): Promise<ToolProcess> {
  return wantedInstances > 1 ? startToolCluster(variables, wantedInstances) : startToolProcess(variables);
}

/** Where each instance of a tool that was started here answers by itself; `url` is where it answers as a whole. */
export function addressesOf(tool: ToolProcess, url: string): string[] {
  return isCluster(tool) ? tool.instances.map((instance) => instance.url) : [url];
}

function isCluster(tool: ToolProcess): tool is ToolCluster {
  return "instances" in tool;
}

/** Starts so many instances, and a load balancer on the port that the variables name. */
export async function startToolCluster(
  variables: Record<string, string>,
  count: number,
): Promise<ToolCluster> {
  const started = await Promise.allSettled(Array.from({ length: count }, () => startInstance(variables)));
  const instances = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  for (const one of started) {
    if (one.status === "fulfilled") continue;
    await Promise.all(instances.map(({ tool }) => tool().end("SIGKILL")));
    throw one.reason;
  }
  const [first] = instances;
  if (first === undefined) throw new Error("a cluster has one instance at least");
  const balancer = await startBalancer(
    Number(variables["PORT"]),
    instances.map(({ url }) => url),
  );
  return {
    instances,
    balancer,
    child: first.tool().child,
    output: () => instances.map(({ output }) => output()).join(""),
    end: async (signal) => {
      const [code = null] = await Promise.all(instances.map(({ tool }) => tool().end(signal)));
      await balancer.close();
      return code;
    },
  };
}

async function startInstance(
  variables: Record<string, string>,
): Promise<ToolInstance & { output: () => string }> {
  const port = await freePort();
  const own = { ...variables, PORT: String(port), TRUST_PROXY: "1" };
  const runs = [await startToolProcess(own)];
  const tool = () => {
    const last = runs.at(-1);
    if (last === undefined) throw new Error("the instance was never started");
    return last;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    tool,
    output: () => runs.map((one) => one.output()).join(""),
    restart: async () => {
      runs.push(await startToolProcess(own));
    },
  };
}

import { once } from "node:events";
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http";
import { freePort, startToolProcess, type ToolProcess } from "../../../sandbox/tool-process.ts";
import { required } from "../required.ts";

/** A load balancer like the one that an operator puts before several instances of the tool. */
export type Balancer = {
  /** How many requests each target was given, in the order of the targets. */
  taken: () => readonly number[];
  close: () => Promise<void>;
};

type Target = { url: URL; ready: boolean; taken: number };

/** Between two checks of a target (ms), like HAProxy's `inter`. */
const looksEvery = 200;
/** A target that does not respond for this long (ms) counts as unready. */
const lookLasts = 4_000;

/**
 * Listens on `port` of loopback and gives requests to the targets in turn, as `deploy/haproxy.cfg` does: only to those whose /readyz
 * responds with 200, or to any when there is none. A target that accepts no connection is skipped; a request that then failed is only sent
 * again if it is a GET. Responses are streamed through.
 */
export async function startBalancer(port: number, targets: readonly string[]): Promise<Balancer> {
  const all: Target[] = targets.map((url) => ({ url: new URL(url), ready: true, taken: 0 }));
  const state = { next: 0, closed: false };
  const inTurn = (): Target[] => {
    const ready = all.filter((one) => one.ready);
    const asked = ready.length === 0 ? all : ready;
    const from = state.next++ % asked.length;
    return [...asked.slice(from), ...asked.slice(0, from)];
  };
  const server = createServer((request, response) => {
    forward(request, response, inTurn());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const watching = all.map((target) => watch(target, () => state.closed));
  return {
    taken: () => all.map(({ taken }) => taken),
    close: async () => {
      state.closed = true;
      server.closeAllConnections();
      server.close();
      await Promise.all(watching);
    },
  };
}

async function watch(target: Target, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      const answer = await fetch(new URL("/readyz", target.url), { signal: AbortSignal.timeout(lookLasts) });
      await answer.arrayBuffer();
      target.ready = answer.ok;
    } catch {
      target.ready = false;
    }
    await new Promise((resolve) => setTimeout(resolve, looksEvery));
  }
}

/** Tries the first target, and then the next one if that can do no harm. */
function forward(request: IncomingMessage, response: ServerResponse, [target, ...others]: Target[]): void {
  if (target === undefined) {
    response.writeHead(503, { "retry-after": "1" }).end("no instance takes connections");
    return;
  }
  target.taken += 1;
  const { method, url: path, headers, socket } = request;
  const before = headers["x-forwarded-for"];
  const via = [...(before === undefined ? [] : [before].flat()), socket.remoteAddress ?? ""].join(", ");
  const sent = ask({
    hostname: target.url.hostname,
    port: target.url.port,
    agent: false,
    headers: { ...headers, "x-forwarded-for": via, connection: "close" },
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
  });
  let connected = false;
  sent.once("socket", (one) => {
    one.once("connect", () => {
      connected = true;
      request.pipe(sent);
    });
  });
  sent.once("response", (answer) => {
    const { connection: _hop, ...rest } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, rest);
    // Even when nothing is sent for a long time, as on the stream of a waiting page.
    response.flushHeaders();
    answer.pipe(response);
    answer.once("close", () => {
      if (!answer.complete) response.destroy();
    });
  });
  sent.once("error", () => {
    if (response.headersSent) response.destroy();
    else if (!connected || method === "GET") forward(request, response, others);
    else response.writeHead(502).end("the instance failed");
  });
  response.once("close", () => sent.destroy());
}

/** One of several instances of the tool. */
export type ToolInstance = {
  url: string;
  /** Its current process. */
  tool: () => ToolProcess;
  /** Starts it again after it was ended. */
  restart: () => Promise<void>;
};

/** Several instances on one database behind a load balancer; they end together, like one tool. */
export type ToolCluster = ToolProcess & { instances: readonly ToolInstance[]; balancer: Balancer };

/** How many instances the variable TOOL_PROCESSES requests for every story; 1 when it is not set. */
export const wantedInstances = Number(process.env["TOOL_PROCESSES"] ?? 1);

/** The tool on the port that its variables name: one process, or as many as TOOL_PROCESSES says behind a load balancer. */
export function startTool(variables: Record<string, string>): Promise<ToolProcess> {
  return wantedInstances > 1 ? startToolCluster(variables, wantedInstances) : startToolProcess(variables);
}

/** The address of each instance of a tool that was started here; `url` is their common address. */
export function addressesOf(tool: ToolProcess | ToolCluster, url: string): string[] {
  return "instances" in tool ? tool.instances.map((instance) => instance.url) : [url];
}

/** Starts several instances, and a load balancer on the port that the variables name. */
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
  const first = required(instances[0]);
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
    return required(runs.at(-1));
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

import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { listen } from "../../../sandbox/listen.ts";
import { freePort } from "../../../sandbox/tool-process.ts";
import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import type { QuirkChange } from "../../../sandbox/stand-in-lms/lms.ts";
import { makeSelfSigned } from "../stand-ins/self-signed.ts";
import { startWorld } from "../tool/start-world.ts";

// One for all worlds: of two with the same name, only one would be trusted.
const certificate = makeSelfSigned();
setDefaultCACertificates([...getCACertificates("default"), certificate.cert]);

/** The classroom's pages use plain http unless `classroom` says otherwise: WebKit shows none of those within an https page. */
type Options = { classroom?: "http" | "https"; quirks?: QuirkChange; variables?: Record<string, string> };

export type HttpsWorld = DemoWorld & {
  /** How many forms browsers have sent to the tool by POST so far. */
  forms: () => number;
};

/**
 * The whole world as browsers meet it in production: LMS and tool over https and on two sites (`localhost` and 127.0.0.1), so that in the
 * LMS's frame the tool is a third party. The certificate is created for each run; this process and the tool's trust it. Twelve learners are
 * enrolled.
 */
export async function startHttpsWorld(
  manners: "moodle" | "canvas" | "other",
  { classroom = "http", quirks = {}, variables = {} }: Options = {},
): Promise<HttpsWorld> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-lti-https-"));
  const file = join(folder, "certificate.pem");
  await writeFile(file, certificate.cert);
  const ports = { lms: await freePort(), classroom: await freePort(), tool: await freePort() };
  let forms = 0;
  const fronts = [
    await startFront(ports.lms),
    await startFront(ports.tool, ({ method, headers }) => {
      if (method === "POST" && headers["sec-fetch-mode"] === "navigate") forms += 1;
    }),
    ...(classroom === "https" ? [await startFront(ports.classroom)] : []),
  ];
  const [lms, tool, space] = fronts.map(({ port }) => port);
  const world = await startWorld({
    learners: 12,
    manners,
    quirks,
    ports,
    publicUrls: {
      lms: `https://localhost:${String(lms)}`,
      tool: `https://127.0.0.1:${String(tool)}`,
      ...(space === undefined ? {} : { classroom: `https://127.0.0.1:${String(space)}` }),
    },
    variables: { NODE_EXTRA_CA_CERTS: file, ...variables },
  });
  return {
    ...world,
    forms: () => forms,
    close: async () => {
      await Promise.all(fronts.map(stopFront));
      await world.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Terminates TLS and forwards everything to a port of this machine. */
async function startFront(port: number, note?: (incoming: IncomingMessage) => void) {
  const server = createServer(certificate, (incoming, outgoing) => {
    note?.(incoming);
    const { method, url, headers } = incoming;
    const onward = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  return { server, port: await listen(server) };
}

async function stopFront({ server }: { server: Server }): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

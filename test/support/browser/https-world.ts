import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { freePort } from "../../../src/sandbox/tool-process.ts";
import type { DemoWorld } from "../../../src/sandbox/demo-world.ts";
import { makeSelfSigned } from "../stand-ins/self-signed.ts";
import { startWorld } from "../tool/start-world.ts";

// One for all worlds: of two with the same name, only one would be believed.
const certificate = makeSelfSigned();
setDefaultCACertificates([...getCACertificates("default"), certificate.cert]);

/**
 * The whole world as browsers meet it in earnest: LMS and tool over https and on two sites (`localhost` and
 * 127.0.0.1), so that in the LMS's frame the tool is a third party. The certificate is made for the occasion; this
 * process and the tool's trust it.
 */
export async function startHttpsWorld(manners: "moodle" | "canvas"): Promise<DemoWorld> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-lti-https-"));
  const file = join(folder, "certificate.pem");
  await writeFile(file, certificate.cert);
  const ports = { lms: await freePort(), classroom: await freePort(), tool: await freePort() };
  const fronts = [await startFront(ports.lms), await startFront(ports.tool)];
  const [lmsPort, toolPort] = fronts.map(portOf);
  const world = await startWorld({
    manners,
    ports,
    publicUrls: {
      lms: `https://localhost:${String(lmsPort)}`,
      tool: `https://127.0.0.1:${String(toolPort)}`,
    },
    variables: { NODE_EXTRA_CA_CERTS: file },
  });
  return {
    ...world,
    close: async () => {
      await Promise.all(fronts.map(stopFront));
      await world.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ends TLS and passes everything on to a port of this machine. */
async function startFront(port: number): Promise<Server> {
  const server = createServer(certificate, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onward = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function stopFront(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInvitation } from "../src/modules/registration/registrations.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { randomIds } from "../src/kernel/ids.ts";
import type { Logger } from "../src/kernel/logger.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import { openStores } from "../src/open-stores.ts";
import { nothingTurned, type Turned } from "./assumptions.ts";
import { demoSeed } from "./demo-seed.ts";
import type { Spelling } from "./stand-in-classroom/spellings.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";
import { type StandInClassroom, startStandInClassroom } from "./stand-in-classroom/stand-in-classroom.ts";
import type { QuirkChange } from "./stand-in-lms/lms.ts";
import { type StandInLms, startStandInLms } from "./stand-in-lms/start-stand-in-lms.ts";
import { databaseFolder, freePort, startToolProcess, type ToolProcess } from "./tool-process.ts";
import { createVisitor } from "./visitor.ts";

/** Both stand-ins and the tool, registered with each other over HTTP. */
export type DemoWorld = {
  lms: StandInLms;
  classroom: StandInClassroom;
  toolUrl: string;
  /** The tool's mails arrive here; null if it sends none. */
  mailbox: MailServer | null;
  /** The tool's environment, for starting a second process. */
  variables: Record<string, string>;
  tool: () => ToolProcess;
  output: () => string;
  /** On the same data. */
  restartTool: () => Promise<void>;
  close: () => Promise<void>;
};

export type DemoWorldOptions = {
  logger: Logger;
  /** Preferred ports, replaced when busy; by default, any free ones. */
  ports?: { lms: number; classroom: number; tool: number };
  /** The addresses of LMS, tool and classroom for browsers, such as an https front; by default, loopback and port. */
  publicUrls?: { lms: string; tool: string; classroom?: string };
  /** By default, "moodle". */
  manners?: "moodle" | "canvas" | "other";
  quirks?: QuirkChange;
  /** Added to the tool's environment. */
  variables?: Record<string, string>;
  /** By default, a temporary folder that is removed at the end. */
  databaseUrl?: string;
  logLevel?: string;
  spelling?: Spelling;
  /** GET /programs/cohorts, which the document does not show. */
  cohortList?: boolean;
  autoAttendance?: boolean;
  /** Whether the tool sends mail, to a mailbox of the sandbox. */
  mail?: boolean;
  turned?: Turned;
  /** The tool's dialect file; by default, none. */
  dialect?: (classroom: StandInClassroom) => object;
  /** On the port that its variables name; by default, as one process. */
  startTool?: (variables: Record<string, string>) => Promise<ToolProcess>;
};

const usual = {
  ports: { lms: 0, classroom: 0, tool: 0 },
  manners: "moodle" as const,
  quirks: {},
  turned: nothingTurned,
  spelling: "a" as const,
  autoAttendance: false,
  mail: false,
  cohortList: false,
  logLevel: "info",
  startTool: startToolProcess,
};

/** Registers the tool by dynamic registration through an invitation. */
export async function startDemoWorld(given: DemoWorldOptions): Promise<DemoWorld> {
  const options = { ...usual, ...given };
  const { logger, ports: wanted, startTool } = options;
  const apiKey = randomIds.secret();
  const webhookSecret = randomIds.secret();
  const lms = await startStandInLms({
    port: await freePort(wanted.lms),
    clock: systemClock,
    logger,
    seed: demoSeed,
    manners: options.manners,
    quirks: options.quirks,
    turned: options.turned,
    ...(options.publicUrls === undefined ? {} : { publicUrl: options.publicUrls.lms }),
  });
  const classroom = await startStandInClassroom({
    port: await freePort(wanted.classroom),
    clock: systemClock,
    logger,
    apiKey,
    webhookSecret,
    ...(options.publicUrls?.classroom === undefined ? {} : { publicUrl: options.publicUrls.classroom }),
    spelling: options.spelling,
    turned: options.turned,
    cohortList: options.cohortList,
    institution: { autoAttendance: options.autoAttendance },
  });
  const port = await freePort(wanted.tool);
  const toolUrl = options.publicUrls?.tool ?? `http://127.0.0.1:${port}`;
  classroom.setWebhookUrl(`http://127.0.0.1:${port}/webhooks/production`);
  classroom.setEndRedirect({ url: `${toolUrl}/ended` });

  const mailbox = options.mail ? await startMailServer() : null;
  const folder = await databaseFolder();
  const variables: Record<string, string> & { DATABASE_URL: string; PUBLIC_URL: string } = {
    PUBLIC_URL: toolUrl,
    PORT: String(port),
    SECRET_KEY: randomIds.secret(48),
    DATABASE_URL: options.databaseUrl ?? `file:${folder}`,
    CLASSROOM_BASE_URL: classroom.apiUrl,
    CLASSROOM_APP_URL: classroom.appUrl,
    CLASSROOM_API_KEY: apiKey,
    CLASSROOM_WEBHOOK_SECRET: webhookSecret,
    ALLOW_PRIVATE_PLATFORMS: "1",
    LOG_LEVEL: options.logLevel,
    ...(mailbox === null
      ? {}
      : { SMTP_URL: mailbox.url, MAIL_FROM: "Online classroom <classroom@demo.example>" }),
    ...options.variables,
  };
  if (options.dialect !== undefined && variables.CLASSROOM_DIALECT === undefined) {
    variables.CLASSROOM_DIALECT = join(folder, "dialect.json");
    await writeFile(variables.CLASSROOM_DIALECT, JSON.stringify(options.dialect(classroom)));
  }
  let tool = await startTool(variables);
  const earlier: ToolProcess[] = [];
  const close = async () => {
    await tool.end("SIGTERM");
    await classroom.close();
    await lms.close();
    await mailbox?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await registerTool(lms, logger, variables);
  } catch (thrown) {
    logger.error({ output: tool.output().slice(-3000) }, "registering the tool failed");
    await close();
    throw thrown;
  }
  return {
    lms,
    classroom,
    toolUrl,
    mailbox,
    variables,
    tool: () => tool,
    output: () => [...earlier, tool].map((one) => one.output()).join(""),
    restartTool: async () => {
      earlier.push(tool);
      tool = await startTool(variables);
    },
    close,
  };
}

/** As an LMS administrator: invitation, its address in the LMS, the dialog. */
async function registerTool(
  lms: StandInLms,
  logger: Logger,
  variables: { DATABASE_URL: string; PUBLIC_URL: string },
): Promise<void> {
  const url = await invite(logger, variables);
  const dialog = await createVisitor().open(await lms.beginRegistration(url), { framed: true });
  if (dialog.status !== 200) throw new Error(`registration answered ${dialog.status}: ${dialog.text}`);
}

/** What the command "invite" does: a separate process would take a third of the world's start. */
async function invite(
  logger: Logger,
  variables: { DATABASE_URL: string; PUBLIC_URL: string },
): Promise<string> {
  const database = await openDatabase({ url: variables.DATABASE_URL, logger });
  try {
    const stores = await openStores(database.connection);
    const deps = { ...stores, clock: systemClock, ids: randomIds, publicUrl: variables.PUBLIC_URL };
    return (await createInvitation(deps, { account: "production", hours: 72 })).url;
  } finally {
    await database.close();
  }
}

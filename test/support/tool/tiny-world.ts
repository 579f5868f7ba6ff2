import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SignJWT } from "jose";
import type { Course } from "../../../src/domain/course.ts";
import type { Registration } from "../../../src/domain/registration.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { startStandInClassroom } from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { databaseFolder, freePort } from "../../../sandbox/tool-process.ts";
import { createVisitor, type Seen, type Visitor } from "../../../sandbox/visitor.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { openStores, type Stores } from "../../../src/open-stores.ts";
import {
  instructorRole,
  launchClaimsOf,
  ltiClaims,
  type SigningKey,
  startPlatform,
  type TinyPlatform,
} from "../stand-ins/signed-launch.ts";
import { registrationOf } from "../builders/registration.ts";
import { asClients, dialectOfClients } from "../stand-ins/dialects.ts";
import { startTool } from "./tool-cluster.ts";
import { required } from "../required.ts";
import { collectionsByModel, kindsOn } from "../../../src/storage/records.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";

/** The whole tool as a separate process, a stand-in classroom, and an LMS that consists of its keys and says what a test wants. */
export type TinyWorld = {
  toolUrl: string;
  platform: TinyPlatform;
  classroom: Awaited<ReturnType<typeof startStandInClassroom>>;
  /** The tool's database, opened a second time. */
  stores: Stores;
  /** The folder of the embedded database; null on a MongoDB. */
  folder: string | null;
  /** Ends all waiting times of erasures now. */
  hurryErasures: () => Promise<void>;
  registration: Registration;
  /** The key that the tool uses to call the classroom. */
  apiKey: string;
  /** Adds another LMS to the tool, by default with the same keys. */
  register: (change: Partial<Registration>) => Promise<Registration>;
  /** A whole launch; a claim set to undefined is left out. */
  launch: (options?: TinyLaunch) => Promise<Seen & { visitor: Visitor }>;
  /** Signs any claims as the LMS does. */
  sign: (claims: Record<string, unknown>, key?: SigningKey) => Promise<string>;
  /** What the tool has printed. */
  output: () => string;
  courseOf: (contextId: string, deploymentId?: string) => Promise<Course>;
  /** How many documents of all kinds are stored. */
  countDocuments: () => Promise<number>;
  close: () => Promise<void>;
};

export type TinyLaunch = {
  claims?: Record<string, unknown>;
  registration?: Registration;
  /** In a frame of the LMS (the default) or in a new tab. */
  framed?: boolean;
};

/**
 * Starts it; on a fresh database of MONGODB_URL when that is set. @param start How the tool is started; by default, as in every story.
 * @param variables Of the tool's environment, in addition to the required ones, which they override.
 */
export async function startTinyWorld(
  start: typeof startTool = startTool,
  variables: Record<string, string> = {},
): Promise<TinyWorld> {
  const platform = await startPlatform();
  const port = await freePort();
  const toolUrl = `http://127.0.0.1:${port}`;
  const apiKey = randomIds.secret();
  const webhookSecret = randomIds.secret();
  const classroom = await startStandInClassroom({
    port: await freePort(),
    clock: systemClock,
    logger: createLogger("silent"),
    apiKey,
    webhookSecret,
    ...(asClients ? { spelling: "clients" } : {}),
    // The pace does not matter here.
    replyTimes: null,
  });
  classroom.setWebhookUrl(`${toolUrl}/webhooks/production`);
  const folder = await databaseFolder();
  const databaseUrl = variables["DATABASE_URL"] ?? testDatabaseUrl() ?? `file:${folder}`;
  const database = await openDatabase({ url: databaseUrl, logger: createLogger("silent") });
  const stores = await openStores(database.connection);
  const dialect = join(folder, "dialect.json");
  if (asClients) await writeFile(dialect, JSON.stringify(dialectOfClients(classroom.appUrl)));
  const tool = await start({
    PUBLIC_URL: toolUrl,
    PORT: String(port),
    SECRET_KEY: randomIds.secret(48),
    DATABASE_URL: databaseUrl,
    ...(asClients ? { CLASSROOM_DIALECT: dialect } : {}),
    CLASSROOM_BASE_URL: classroom.apiUrl,
    CLASSROOM_APP_URL: classroom.appUrl,
    CLASSROOM_API_KEY: apiKey,
    CLASSROOM_WEBHOOK_SECRET: webhookSecret,
    ALLOW_PRIVATE_PLATFORMS: "1",
    ...variables,
  });
  const register = async (change: Partial<Registration>) => {
    const registration: Registration = registrationOf({
      id: randomIds.id("reg"),
      issuer: platform.issuer,
      name: "Tiny LMS",
      family: "other",
      jwksUrl: platform.jwksUrl,
      createdAt: 1,
      ...change,
    });
    await stores.registrations.insert(registration);
    return registration;
  };
  const sign = (claims: Record<string, unknown>, key = platform.keys[0]) => {
    if (key === undefined) throw new Error("the platform has no key");
    const present = Object.fromEntries(
      Object.entries(ltiClaims(claims)).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(present)
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: key.kid })
      .sign(key.privateKey);
  };
  const registration = await register({});
  return {
    toolUrl,
    platform,
    classroom,
    stores,
    folder: databaseUrl.startsWith("file:") ? folder : null,
    hurryErasures: async () => {
      const erasures = database.connection.collection("erasures");
      await erasures.updateMany({ state: { $in: ["checking", "cleaning"] } }, { $set: { dueAt: 1 } });
    },
    registration,
    apiKey,
    register,
    sign,
    output: tool.output,
    launch: async ({ claims = {}, registration: by = registration, framed = true } = {}) => {
      const visitor = createVisitor();
      const page = formPage(`${toolUrl}/lti/login`, {
        iss: by.issuer,
        client_id: by.clientId,
        login_hint: "hint",
        target_link_uri: `${toolUrl}/lti/launch`,
      });
      let login = await visitor.submit(page, { framed });
      for (let again = 0; login.location === null && again < 2; again += 1) {
        console.warn(`a login answered ${login.status} and is tried once more: ${login.text}`);
        login = await visitor.submit(page, { framed });
      }
      if (login.location === null) throw new Error(`the login answered ${login.status}: ${login.text}`);
      const asked = new URL(login.location).searchParams;
      const token = await sign({ ...launchClaimsOf(toolUrl, by, asked.get("nonce") ?? ""), ...claims });
      const answer = await visitor.submit(
        formPage(`${toolUrl}/lti/launch`, { id_token: token, state: asked.get("state") ?? "" }),
        { framed },
      );
      return { ...answer, visitor };
    },
    courseOf: async (contextId, deploymentId = "1") => {
      const found = await stores.courses.findByContexts(registration.id, [contextId]);
      return required(found.find((one) => one.deploymentId === deploymentId));
    },
    countDocuments: async () => {
      const counts = [...kindsOn(database.connection).keys()].map((name) =>
        collectionsByModel(database.connection)(name).countDocuments({}),
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      await tool.end("SIGTERM");
      if (!databaseUrl.startsWith("file:")) await database.connection.dropDatabase();
      await database.close();
      await classroom.close();
      await platform.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Claims of a person in a course; by default, `roles` are an instructor's. */
export function claimsOf(person: {
  sub?: string | undefined;
  name?: string | undefined;
  roles?: readonly string[];
  course?: string;
  /** Source courses as the LMS reports them. */
  history?: string;
}): Record<string, unknown> {
  const { sub, name, roles = [instructorRole], course = "2", history } = person;
  const [givenName, familyName] = name?.split(" ") ?? [];
  return {
    sub,
    name,
    given_name: givenName,
    family_name: familyName,
    email: undefined,
    [`${lti}/roles`]: roles,
    [`${lti}/context`]: { id: course, label: `C${course}`, title: `Course ${course}` },
    [`${lti}/resource_link`]: { id: `link-${course}`, title: "Classroom" },
    ...(history === undefined ? {} : { [`${lti}/custom`]: { spaces_context_history: history } }),
  };
}

/** A page's text without its tags, in one line. */
export function textOf(page: { text: string }): string {
  return page.text
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}

function formPage(action: string, fields: Record<string, string>): Seen {
  const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
  return {
    status: 200,
    url: action,
    location: null,
    text: `<form method="post" action="${action}">${inputs.join("")}</form>`,
  };
}

function testDatabaseUrl(): string | null {
  const given = process.env.MONGODB_URL;
  if (given === undefined) return null;
  const url = new URL(given);
  url.pathname = `/tiny_${randomBytes(6).toString("hex")}`;
  return url.href;
}

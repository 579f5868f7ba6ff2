import { fileURLToPath } from "node:url";
import type { App } from "./app.ts";
import { parseDialect } from "./classroom/parse-dialect.ts";
import { openClassrooms } from "./classroom/open-classrooms.ts";
import type { Config } from "./config.ts";
import { describeBuild } from "./kernel/build.ts";
import { createInbox } from "./inbox/index.ts";
import { webhookHandlers } from "./inbox/webhook-handlers.ts";
import { createBackground } from "./kernel/async.ts";
import { type Clock, hourMs, systemClock } from "./kernel/clock.ts";
import { type Ids, randomIds } from "./kernel/ids.ts";
import type { Logger } from "./kernel/logger.ts";
import { createMetrics, type Metrics } from "./kernel/metrics.ts";
import { createSealer } from "./kernel/sealer.ts";
import { openLms } from "./lms/open-lms.ts";
import { outsideLookup } from "./lms/outside-fetch.ts";
import { type Module, requireAllDone } from "./module.ts";
import { createKnownAccounts } from "./modules/accounts/known-accounts.ts";
import { createAlerts } from "./modules/alerts/index.ts";
import { createApi } from "./modules/api/index.ts";
import { createAttendance } from "./modules/attendance/index.ts";
import { createAudit } from "./modules/audit/index.ts";
import { createCheckIn } from "./modules/check-in/index.ts";
import { createCohorts } from "./modules/cohorts/index.ts";
import { createConsole } from "./modules/console/index.ts";
import { createCourses } from "./modules/courses/index.ts";
import { createKnownBrands } from "./modules/courses/institution.ts";
import { createFeedback } from "./modules/feedback/index.ts";
import { enqueueRegrade, gradeAfterChange, regradeAfterChanges } from "./modules/grading/regrade.ts";
import { createGrading } from "./modules/grading/index.ts";
import { createGuides } from "./modules/guides/index.ts";
import { countEntries } from "./modules/joining/queue-reading.ts";
import { createJoining } from "./modules/joining/index.ts";
import { judgeByCourse } from "./modules/joining/pages/current-roles.ts";
import { recheckTimetable } from "./modules/unplanned/answer-class.ts";
import { createWaitingQueue } from "./modules/joining/waiting-queue.ts";
import { createLaunch } from "./modules/launch/index.ts";
import { createLinks } from "./modules/links/index.ts";
import { createDialogs } from "./modules/links/pages/hand-over.ts";
import { createMail } from "./modules/mail/index.ts";
import { createMatching } from "./modules/matching/index.ts";
import { createMembers } from "./modules/members/index.ts";
import { detectRestore } from "./modules/operations/upkeep.ts";
import { createOperations } from "./modules/operations/index.ts";
import { reportHealth } from "./modules/operations/health.ts";
import { createPresence } from "./modules/presence/index.ts";
import { hideErasedUsers } from "./modules/privacy/erased-users.ts";
import { createPrivacy } from "./modules/privacy/index.ts";
import { createRecordings } from "./modules/recordings/index.ts";
import { createRegistration } from "./modules/registration/index.ts";
import { lmsIsBack } from "./modules/registration/lms-trouble.ts";
import { createScheduling } from "./modules/scheduling/index.ts";
import { createAnalytics } from "./modules/analytics/index.ts";
import { createUnplanned } from "./modules/unplanned/index.ts";
import { createUsage } from "./modules/usage/index.ts";
import { openStores, type Stores } from "./open-stores.ts";
import { type Database, openDatabase } from "./storage/open-database.ts";
import { requireWhole } from "./storage/examine-database.ts";
import { openStoreClock, type StoreClock } from "./storage/store-clock.ts";
import { createTimetable, type Timetable } from "./tasks/timetable.ts";
import { createWorkTable, type WorkTable } from "./tasks/work.ts";
import { createSessionCookie, sessionAddresses } from "./web/session-address.ts";
import { createFraming } from "./web/security-headers.ts";
import { openServer } from "./web/open-server.ts";
import { createSessions } from "./web/session.ts";
import { createTranslator } from "./web/translate.ts";
import { createWebApp } from "./web/web-app.ts";
import { startWaitMs } from "./storage/limits.ts";

export type RunningTool = {
  /** The port it listens on; if 0 was configured, the assigned port. */
  port: number;
  metrics: Metrics;
  /** Finishes work in hand, then closes. Nothing that was acknowledged is lost. Safe to call twice. */
  stop: () => Promise<void>;
};

/** What the caller of `startTool` provides, with the store's clock. */
type Outside = { logger: Logger; clock: StoreClock; ids: Ids };

const viewsFolder = fileURLToPath(new URL("../views", import.meta.url));

/**
 * Puts the tool together and starts it: database, walls, modules, web front, background work. In this order, nothing listens before
 * everything it needs is there.
 * @param outside The real clock and ids, unless a test passes others.
 * @throws NamedError or ConfigError that says what to fix.
 */
export async function startTool(
  config: Config,
  { logger, clock = systemClock, ids = randomIds }: { logger: Logger; clock?: Clock; ids?: Ids },
): Promise<RunningTool> {
  const database = await openDatabase({ url: config.databaseUrl, logger, clock, patienceMs: startWaitMs });
  try {
    return await startOn(database, config, { logger, clock: await openStoreClock(database, clock), ids });
  } catch (thrown) {
    // A tool that can't start must not keep the database open.
    await database.close();
    throw thrown;
  }
}

async function startOn(database: Database, config: Config, outside: Outside): Promise<RunningTool> {
  const { logger } = outside;
  const stores = await openStores(database.connection, { ...outside, patienceMs: startWaitMs });
  await detectRestore({ ...stores, ...outside }, database);
  const state = { stopping: false };
  const work = createWorkTable({ ...stores, ...outside, random: Math.random });
  const timetable = createTimetable({ ...stores, ...outside });
  const app = await createApp({ config, database, stores, work, timetable, ...outside });
  const modules = createModules(app, {
    stopping: () => state.stopping,
    build: describeBuild(),
    requireWholeDatabase: () => requireWhole(database),
  });
  const webhooks = webhookHandlers(modules.flatMap((one) => one.webhooks ?? []));
  const all = [createInbox(app, webhooks), ...modules];
  requireAllDone(
    all,
    stores.tasks.store.kinds().map(({ name }) => name),
  );
  work.add(all.flatMap(({ works = [] }) => works));
  const front = createWebApp(
    { ...app, sessionAddresses: sessionAddresses(app) },
    (point) => all.flatMap(({ routes }) => routes?.[point] ?? []),
    viewsFolder,
  );

  const server = await openServer(front, config.port);
  work.start(stores.dueHeads.kinds());
  await timetable.start(all.flatMap(({ jobs = [] }) => jobs));
  const { port } = server;
  logger.info({ port, publicUrl: config.publicUrl, engine: database.engine }, "spaces-lti is listening");

  const stop = async () => {
    state.stopping = true;
    await timetable.stop();
    // Ends the streams of waiting pages; their browsers come back when the tool runs again.
    app.waitingQueue.stop();
    await server.close();
    await work.stop();
    await app.background.settle();
    for (const { close } of all) await close?.();
    await stores.tallies.flush().catch(() => undefined);
    await database.close();
    logger.info({}, "spaces-lti has stopped");
  };
  let stopped: Promise<void> | undefined;
  return { port, metrics: app.metrics, stop: () => (stopped ??= stop()) };
}

/** All modules. Each may call only modules before it: see `.dependency-cruiser.cjs`. */
function createModules(app: App, process: Parameters<typeof createOperations>[1]): Module[] {
  return [
    createRegistration(app),
    createAudit(app),
    createCourses(app),
    createMembers(app),
    createScheduling(app),
    createPresence(app),
    createGrading(app),
    createAttendance(app),
    createCohorts(app),
    createRecordings(app),
    createAnalytics(app),
    createUnplanned(app),
    createAlerts(app),
    createMatching(app),
    createLinks(app),
    createJoining(app),
    createFeedback(app),
    createCheckIn(app),
    createPrivacy(app),
    createUsage(app),
    createApi(app),
    createOperations(app, process),
    createMail(app),
    createLaunch(app),
    createGuides(app),
    createConsole(app),
  ];
}

/** Opens the walls and makes the services that modules share. */
async function createApp(
  deps: Outside & {
    config: Config;
    database: Database;
    stores: Stores;
    work: Pick<WorkTable, "wake">;
    timetable: Pick<Timetable, "runNow">;
  },
): Promise<App> {
  const { config, database, work, timetable, clock, ids, logger } = deps;
  const { wake } = work;
  const metrics = createMetrics({ clock });
  const stores = { ...deps.stores, ...countEntries(deps.stores, metrics) };
  const background = createBackground(logger);
  const unsentAlarmAfter = config.alarmUnsentMinutes * 60_000;
  const sealer = createSealer(config.secretKey, config.secretKeyPrevious);
  const accounts = await createKnownAccounts({
    builtIn: config.builtInAccounts,
    sealer,
    parseDialect,
    clock,
    logger,
    classroomAccounts: stores.classroomAccounts,
  });
  const base = {
    ...stores,
    clock,
    storeTime: clock,
    ids,
    logger,
    background,
    metrics,
    wake,
    unsentAlarmAfter,
    accounts,
    translatorOf: createTranslator(),
  };

  const { classroomOf, ...classrooms } = await openClassrooms({
    config,
    accounts,
    clock,
    ids,
    logger,
    metrics,
    throttleStore: stores.throttle,
    addresses: stores.addresses,
    outsideLookup: outsideLookup(config),
  });
  const lms = openLms({
    config,
    stores,
    clock,
    ids,
    logger,
    metrics,
    onLmsBack: async (registrationId) => {
      await lmsIsBack({ ...stores, clock }, registrationId);
      wake("deliveries");
      wake(stores.rosterSyncs.kind);
    },
  });
  const brands = createKnownBrands({ ...stores, clock });
  const framing = createFraming({ ...stores, brands, entryTargetsOf: classrooms.entryTargetsOf });
  const sessions = createSessions(base, judgeByCourse(stores));
  return {
    ...base,
    ...lms,
    ...classrooms,
    classroomOf: hideErasedUsers({ ...stores, clock }, classroomOf),
    config,
    publicUrl: config.publicUrl,
    sealer,
    parseDialect,
    random: Math.random,
    framing,
    brands,
    sessions: framing.named(sessions),
    signOut: sessions.signOut,
    sessionCookie: createSessionCookie(config.publicUrl),
    dialogs: createDialogs({ sealer, clock }),
    waitingQueue: createWaitingQueue({
      queuePositions: stores.queuePositions,
      queueSummaries: stores.queueSummaries,
      clock,
      logger,
    }),
    runJob: timetable.runNow,
    report: reportHealth({
      ...base,
      ping: database.ping,
      silenceAlarmAfter: config.alarmNoWebhookHours * hourMs,
    }),
    onMatchable: async (what) => {
      await stores.receipts.retryWaiting(what, clock.now());
      wake("slow-receipts");
    },
    onSessionsChanged: (courseId) => enqueueRegrade(base, courseId),
    whileSessionsChange: async (course, change) => {
      const changed = await gradeAfterChange(base, course, "everybody", change);
      await recheckTimetable(base, course);
      return changed;
    },
    regradeAfterChanges: (course) => regradeAfterChanges(base, course),
  };
}

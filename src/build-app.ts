import { fileURLToPath } from "node:url";
import { buildAhead } from "./build-ahead.ts";
import { buildAttendance } from "./build-attendance.ts";
import { buildClassrooms } from "./build-classrooms.ts";
import { buildClock } from "./build-clock.ts";
import { buildConsole } from "./build-console.ts";
import { buildDeliveries } from "./build-deliveries.ts";
import { buildDoor } from "./build-door.ts";
import { buildDue } from "./build-due.ts";
import { buildEnded } from "./build-ended.ts";
import { buildGrading } from "./build-grading.ts";
import { buildJobs } from "./build-jobs.ts";
import { buildLms, buildPausedLmss } from "./build-lms.ts";
import { buildPrivacy } from "./build-privacy.ts";
import { buildProvisioning } from "./build-provisioning.ts";
import { buildReadings } from "./build-readings.ts";
import { buildRecordings } from "./build-recordings.ts";
import { buildReceipts } from "./build-receipts.ts";
import { buildRegistration } from "./build-registration.ts";
import { buildRosters } from "./build-rosters.ts";
import { buildSessions } from "./build-sessions.ts";
import { buildNotices } from "./build-notices.ts";
import { createExchanges } from "./classroom/exchange.ts";
import type { Config } from "./config.ts";
import { countWebhooks } from "./count-webhooks.ts";
import { buildTelemetry } from "./build-telemetry.ts";
import type { Course } from "./domain/course.ts";
import type { Matchable } from "./inbox/rules/receipt.ts";
import { gradeAfterChange } from "./modules/grading/grade-after-change.ts";
import { wantRegrade } from "./modules/grading/want-regrade.ts";
import { seeRestore } from "./modules/operations/begin-comparing.ts";
import { forgettingErased } from "./modules/privacy/forgetting-erased.ts";
import { createWebhookNotes } from "./inbox/note-webhooks.ts";
import { type NoteTold, noteTold } from "./inbox/note-told.ts";
import { createBackground } from "./kernel/background.ts";
import { type Clock, systemClock } from "./kernel/clock.ts";
import { type Ids, randomIds } from "./kernel/ids.ts";
import type { Logger } from "./kernel/logger.ts";
import { createSealer } from "./kernel/sealer.ts";
import { createKeySets } from "./lms/key-sets.ts";
import { createLaunchVerifier } from "./lms/launch-verifier.ts";
import { createLtiProvider } from "./lms/lti-provider.ts";
import { openDatabase, startPatience } from "./storage/open-database.ts";
import { openStores } from "./open-stores.ts";
import { createDialogs } from "./modules/links/pages/dialogs.ts";
import { showError } from "./web/error-page.ts";
import { launchRoutes, showLaunch } from "./modules/launch/pages/launch-routes.ts";
import { showKeepPage } from "./modules/launch/pages/keep-page.ts";
import { showResumePage } from "./modules/launch/pages/resume-page.ts";
import { judgeByCourse } from "./modules/joining/pages/current-roles.ts";
import { createFraming } from "./web/framing.ts";
import { readerLocale } from "./web/reader-locale.ts";
import { openServer } from "./web/open-server.ts";
import { createSessions } from "./web/session.ts";
import { createTranslator } from "./web/translate.ts";
import { waitingRoutes } from "./modules/joining/pages/waiting-routes.ts";
import { calendarRoutes } from "./modules/scheduling/pages/calendar-routes.ts";
import { createWebApp } from "./web/web-app.ts";
import { webhookRoutes } from "./inbox/webhook-routes.ts";

/** A tool that is listening. */
export type RunningTool = {
  /** The port it listens on (another one than configured when that was 0). */
  port: number;
  /** Finishes what is in hand, then closes; nothing acknowledged is lost. Safe to call twice. */
  stop: () => Promise<void>;
};

const viewsFolder = fileURLToPath(new URL("../views", import.meta.url));

/**
 * Puts the tool together and starts it: database, clients, features, doors, workers - in this order, so that
 * nothing listens before everything it needs is there.
 * @throws NamedError or ConfigError with what to mend.
 */
export async function startTool(
  config: Config,
  deps: { logger: Logger; clock?: Clock; ids?: Ids },
): Promise<RunningTool> {
  const { logger, clock = systemClock, ids = randomIds } = deps;
  const database = await openDatabase({ url: config.databaseUrl, logger, clock, patienceMs: startPatience });
  /** A tool that cannot start holds on to nothing. */
  const orClose = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (thrown: unknown) => {
      await database.close();
      throw thrown;
    });
  const stores = await orClose(openStores(database.connection, { logger, patienceMs: startPatience }));
  await orClose(seeRestore({ ...stores, clock, logger }, database));
  const background = createBackground(logger);
  const telemetry = buildTelemetry({ config, database, stores, background, clock, logger });
  const { metrics } = telemetry;
  const calls = { open: createExchanges(), onCall: telemetry.onClassroomCall };
  const classrooms = await orClose(buildClassrooms({ config, stores, ...calls, clock, ids, logger }));
  const lms = buildLms({
    ...{ config, stores, clock, ids, logger, watch: telemetry.watchLms },
    onLmsBack: () => {
      shared.onLmsBack();
    },
  });
  const translatorOf = await createTranslator();
  const state = { stopping: false };

  const shared = {
    ...stores,
    pauses: lms.pauses,
    classroomOf: forgettingErased({ ...stores, clock }, classrooms.clientOf),
    ...{ appUrlOf: classrooms.appUrlOf, isSpaceOrigin: classrooms.isSpaceOrigin },
    spaceOrigins: classrooms.spaceOrigins,
    entryTargets: classrooms.entryTargets,
    recordingManners: classrooms.recordingManners,
    findRegistration: (id: string) => stores.registrations.find(id),
    onLmsBack: () => {
      deliveryWorker.wake();
      rosters.worker.wake();
    },
    onScoreWanted: () => {
      deliveryWorker.wake();
    },
    onRegradeWanted: () => {
      grading.worker.wake();
    },
    onMarkWanted: () => {
      marks.worker.wake();
    },
    onRosterWanted: () => {
      rosters.worker.wake();
    },
    onEventNoted: () => {
      ahead.look();
    },
    onSessionWanted: () => {
      planning.worker.wake();
    },
    onSessionsChanged: (courseId: string): Promise<void> => wantRegrade(shared, courseId),
    whileSessionsChange: <T>(course: Pick<Course, "id" | "registrationId">, change: () => Promise<T>) =>
      gradeAfterChange(shared, course, "everybody", change),
    onReadingWanted: () => {
      reading.readings.wake();
    },
    onRecordingsWanted: () => {
      recordings.worker.wake();
    },
    noteTold: (...told: Parameters<NoteTold>): ReturnType<NoteTold> => noteTold(shared, ...told),
    onErasureWanted: () => {
      privacy.worker.wake();
    },
    onMatchSaid: () => {
      reading.matches.wake();
    },
    onMatchable: (what: Matchable): Promise<void> => receipts.onMatchable(what),
    unsentAlarmAfter: config.alarmUnsentMinutes * 60_000,
    clock,
    ids,
    logger,
    translatorOf,
    background,
  };
  const counting = countWebhooks(metrics, { ...shared, noteSecret: createWebhookNotes(shared) });
  const receipts = buildReceipts({ ...shared, ...counting });
  const grading = buildGrading({ ...shared, lineItems: lms.lineItems });
  const marks = buildAttendance(shared);
  const planning = buildSessions(shared);
  const privacy = buildPrivacy(shared, config);
  const recordings = buildRecordings(shared);
  const reading = buildReadings(shared);
  const provisioning = buildProvisioning({ ...shared, config, counter: metrics.provisioning });
  const rosters = buildRosters({ ...shared, ...provisioning.wanting, lms });
  const deliveryWorker = buildDeliveries({ ...shared, ...lms, counter: metrics.scores });
  const pausedLmss = buildPausedLmss(shared);
  const ahead = buildAhead({ ...shared, config, counter: metrics.entries });
  const door = buildDoor({ ...shared, config });
  const ofLmss = { grading, receipts, rosters, provisioning, deliveryWorker };
  const ofClassrooms = { reading, recordings, marks, planning, privacy, door, ahead };
  const due = buildDue(shared, { ...ofLmss, ...ofClassrooms });
  const jobs = buildJobs({
    ...shared,
    jobs: stores.jobs,
    plans: { readings: reading.plan, ahead, rosters: rosters.planRound },
    sweepKeys: lms.toolKeys.sweep,
    retire: privacy.retire,
    clean: privacy.clean,
    workers: {
      receipts: receipts.worker,
      deliveries: deliveryWorker,
      people: provisioning.worker,
      readings: reading.readings,
      rosters: rosters.worker,
    },
  });
  const keySets = createKeySets({ fetch: lms.fetch, clock });
  const { publicUrl } = config;
  const { noticeHandlers } = lms;
  const notices = buildNotices({ ...shared, publicUrl, keySets, noticeHandlers, counter: metrics.notices });
  const framing = createFraming(stores);
  const courseSessions = createSessions(shared, judgeByCourse(stores));
  const launch = {
    ...shared,
    ...door.entering,
    onPlaceWanted: () => {
      door.entering.onPlaceWanted();
      ahead.arrived();
    },
    ...ahead.counting,
    ...provisioning.wanting,
    sessions: framing.named(courseSessions),
    signOut: courseSessions.signOut,
    ...notices.subscribing,
    publicUrl,
    dialogs: createDialogs({ sealer: createSealer(config.secretKey, config.secretKeyPrevious), clock }),
    answerSealer: createSealer(config.secretKey, config.secretKeyPrevious),
    signDeepLinkingAnswer: lms.signDeepLinkingAnswer,
    scores: lms.scores,
    lineItems: lms.lineItems,
    consoleOn: config.adminPassword !== undefined,
  };
  const provider = createLtiProvider({
    ...shared,
    toolKeys: lms.toolKeys,
    verifier: createLaunchVerifier({ keySets, clock }),
    publicUrl: config.publicUrl,
    secretKey: config.secretKey,
    secretKeyPrevious: config.secretKeyPrevious,
    onKeep: (login, request, response) => {
      showKeepPage({ ...shared, publicUrl: config.publicUrl }, login, request, response);
    },
    onResume: (unbound, request, response) => {
      metrics.launches.inc({ outcome: "without-cookie" });
      showResumePage({ ...shared, publicUrl: config.publicUrl }, unbound, request, response);
    },
    onLaunch: async (verified, request, response, registration, order) => {
      metrics.launches.inc({ outcome: "accepted" });
      await showLaunch({ ...launch, ...order }, verified, registration, request, response);
    },
    onRefused: (refusal, request, response) => {
      metrics.launches.inc({ outcome: "refused" });
      showError({ ...shared, t: translatorOf(readerLocale(request)) }, request, response, refusal);
    },
    onError: (error, request, response) => {
      metrics.launches.inc({ outcome: "failed" });
      showError({ ...shared, t: translatorOf(readerLocale(request)) }, request, response, error);
    },
  });
  const app = createWebApp({
    ...shared,
    ...telemetry,
    trustProxy: config.trustProxy,
    logActors: config.logActors,
    publicUrl,
    plainHttp: config.publicUrl.startsWith("http://"),
    viewsFolder,
    health: telemetry.health(() => state.stopping),
    webhooks: webhookRoutes({
      ...shared,
      ...counting,
      secretsOf: (environment) => config.environments[environment]?.webhookSecrets ?? [],
      onReceived: () => {
        receipts.worker.wake();
      },
      onAnswer: telemetry.onWebhook,
    }),
    notices: notices.routes,
    framing: framing.remember,
    calendar: calendarRoutes({ ...shared, publicUrl }),
    lti: provider.router,
    registration: buildRegistration({ publicUrl, stores, lms, translatorOf, clock }),
    console: buildConsole({
      ...shared,
      ...telemetry,
      ...{ config, stores, lms, classrooms, runJob: jobs.runNow, onReplay: receipts.wakeSlow },
    }),
    ended: buildEnded({ ...launch, config, attributionNames: classrooms.attributionNames }),
    launch: launchRoutes(launch),
    waiting: waitingRoutes(launch),
  });

  const server = await orClose(openServer(app, config.port));
  const workers = [
    buildClock(shared),
    receipts.worker,
    deliveryWorker,
    pausedLmss,
    grading.worker,
    marks.worker,
    rosters.worker,
    planning.worker,
    privacy.worker,
    recordings.worker,
    reading.readings,
    reading.matches,
    provisioning.worker,
    ahead.worker,
    door,
    due.worker,
  ];
  for (const worker of workers) worker.start();
  await jobs.start();
  const { port } = server;
  logger.info({ port, publicUrl: config.publicUrl, engine: database.engine }, "spaces-lti is listening");

  const stop = async () => {
    state.stopping = true;
    await jobs.stop();
    door.stopWatching();
    await server.close();
    await Promise.all(workers.map((worker) => worker.stop()));
    await background.settle();
    await provider.close();
    await stores.tallies.flush().catch(() => undefined);
    await database.close();
    logger.info({}, "spaces-lti has stopped");
  };
  let stopped: Promise<void> | undefined;
  return { port, stop: () => (stopped ??= stop()) };
}

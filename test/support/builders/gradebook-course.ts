import { lmsFamilies, type PlatformFamily } from "../../../src/domain/lms-product.ts";
import { attendanceColumn } from "../../../src/modules/grading/rules/column.ts";
import type { SentScore } from "../../../src/modules/grading/rules/delivery.ts";
import { defaultGradePolicy, type GradePolicy } from "../../../src/domain/grade-policy.ts";
import { answerConflict } from "../../../src/modules/grading/send-again.ts";
import { lmsIsBack } from "../../../src/modules/registration/lms-trouble.ts";
import { deliveryStep } from "../../../src/modules/grading/deliver-scores.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createAccessTokens } from "../../../src/lms/access-tokens.ts";
import { createLmsPauses } from "../../../src/lms/lms-pauses.ts";
import { createLineItems } from "../../../src/lms/line-items.ts";
import { createRequester } from "../../../src/lms/requester.ts";
import { createScores } from "../../../src/lms/scores.ts";
import { createServiceCalls } from "../../../src/lms/service-calls.ts";
import { createToolKeys } from "../../../src/lms/tool-keys.ts";
import { canvasAddresses, canvasIds } from "../../../sandbox/stand-in-lms/canvas-claims.ts";
import { moodleAddresses } from "../../../sandbox/stand-in-lms/moodle-claims.ts";
import { otherAddresses, otherIds } from "../../../sandbox/stand-in-lms/other-claims.ts";
import type { LmsSeed } from "../../../sandbox/stand-in-lms/lms-records.ts";
import { startStandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { storedCollection } from "../../../src/storage/records.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { allGradeScopes } from "../stand-ins/service-lms.ts";
import { openEmptyStores } from "./open-empty-stores.ts";
import { launchedCourse, newCourse } from "./launched-course.ts";
import { registrationOf } from "./registration.ts";
import { isNightly } from "../nightly.ts";

/** Ids of a course's learners: 11, 12, 13 ... */
export const learnerIds = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => String(11 + n));

const empty: LmsSeed = {
  name: "Stand-in",
  sharing: { names: true, email: true },
  courses: [{ id: "2", shortname: "BIO", title: "Biology", sections: [], people: [], links: [] }],
};

/** The gate plays the gradebooks of Moodle and Canvas. Other LMSs are played in nightly runs, and in `gradebook-grades.test.ts`. */
export const familiesPlayed = lmsFamilies.filter((family) => isNightly || family !== "other");

/** One LMS and one database for all tests of a file that want a family: opening them costs more than most tests. */
const gradebooks = new Map<PlatformFamily, ReturnType<typeof openGradebook>>();

/** To be called after all tests of a file. */
export async function closeGradebooks(): Promise<void> {
  for (const gradebook of gradebooks.values()) await (await gradebook).close();
  gradebooks.clear();
}

async function openGradebook(family: PlatformFamily) {
  const time = { ahead: 0, off: 0 };
  const now = () => Date.now() + time.ahead + time.off;
  const clock: Clock = {
    now,
    // Waits for the next second are skipped; polling loops and heartbeats use real time.
    sleep: async (ms, signal) => {
      if (ms > 2_000 || ms < 100) return systemClock.sleep(ms, signal);
      time.ahead += ms;
      await Promise.resolve();
    },
  };
  const logger = createLogger("silent");
  const { stores, connection, close: closeStores } = await openEmptyStores();
  const sealer = createSealer("a secret key of at least thirty-two bytes");
  const toolKeys = createToolKeys({ toolKeys: stores.toolKeys, sealer, clock, ids: randomIds });
  const lms = await startStandInLms({
    port: 0,
    clock: { ...clock, now: () => Date.now() + time.ahead },
    logger,
    manners: family,
    seed: empty,
    fetch: async () => Response.json({ keys: await toolKeys.publicKeys() }),
  });
  const tool = lms.addToolByHand({
    name: "Spaces",
    loginUrl: "https://tool.test/login",
    launchUrl: "https://tool.test/launch",
    jwksUrl: "https://tool.test/keys",
  });
  const tokenPath = { moodle: "/mod/lti/token.php", canvas: "/login/oauth2/token", other: "/lti13/token" };
  await stores.registrations.insert(
    registrationOf({
      issuer: lms.url,
      clientId: tool.clientId,
      family,
      tokenUrl: `${lms.url}${tokenPath[family]}`,
      tokenAudience: family === "other" ? `${lms.url}/lti13/authorization-server` : null,
    }),
  );
  const clientsOf = () => {
    const pauses = createLmsPauses({
      lmsPauses: stores.lmsPauses,
      clock,
      logger,
      onLmsBack: (registrationId) => lmsIsBack({ ...stores, clock }, registrationId),
    });
    const own = { request: createRequester(fetch), pauses, clock };
    const accessTokens = createAccessTokens({ ...stores, ...own, toolKeys, sealer, ids: randomIds });
    const calls = createServiceCalls({ ...own, accessTokens });
    return { pauses, lineItems: createLineItems({ calls, clock }), scores: createScores({ calls, clock }) };
  };
  const close = async () => {
    await closeStores();
    await lms.close();
  };
  return { time, clock, logger, stores, connection, lms, tool, clients: clientsOf(), clientsOf, close };
}

/**
 * A new course with learners in a stand-in LMS, reached over real HTTP, and the tool's stores and clients on an embedded database. Nothing
 * runs automatically: a test requests scores and has them delivered.
 */
export async function openGradebookCourse(
  family: PlatformFamily,
  options: {
    learners?: number;
    policy?: GradePolicy;
    scopes?: readonly string[];
    timeZone?: string;
    /** Whether a link of it has been opened; true by default. */
    launched?: boolean;
  } = {},
) {
  const { learners = 3, policy = defaultGradePolicy, scopes = allGradeScopes } = options;
  const opened = gradebooks.get(family) ?? openGradebook(family);
  gradebooks.set(family, opened);
  const { time, clock, logger, stores, connection, lms, tool, clients, clientsOf } = await opened;
  const lmsCourse = lms.copyCourse("2").id;
  lms.enrolMany(
    lmsCourse,
    learnerIds(learners).map((id) => ({ id, role: "student" })),
  );
  lms.clearLog();
  const lineItemsUrl = {
    moodle: moodleAddresses(lms.url, lmsCourse, tool.id).lineItems,
    canvas: canvasAddresses(lms.url, lmsCourse).lineItems,
    other: otherAddresses(lms.url, lmsCourse).lineItems,
  }[family];
  const courseId = `crs_${lmsCourse}`;
  const gradesLink = options.launched === false ? null : { linkId: "none", lineItemsUrl };
  const course = await stores.courses.record(
    { registrationId: "reg_1", deploymentId: "1", contextId: lmsCourse },
    launchedCourse({ lineItemsUrl, gradeScopes: scopes, gradesLink }),
    { ...newCourse(courseId), policy },
  );
  if (options.timeZone !== undefined) await stores.courses.setTimeZone(courseId, options.timeZone);
  const place = { registrationId: "reg_1", courseId };
  const outcomes: string[] = [];
  const deps = {
    ...stores,
    ...clients,
    scores: { ...clients.scores },
    random: () => 0.5,
    onOutcome: (kind: string) => {
      outcomes.push(kind);
    },
    wake: () => undefined,
    clock,
    ids: randomIds,
    logger,
    translatorOf: createTranslator(),
  };
  const subOf = (id: string) =>
    family === "canvas" ? canvasIds.person(id) : family === "other" ? otherIds.person(id) : id;
  const personOf = (id: string) => `per_${id}_of_${courseId}`;
  let seen = 0;
  const wantScores = async (id: string, scores: ReadonlyMap<string, SentScore>) => {
    seen += 1;
    const learner = {
      personId: personOf(id),
      sub: subOf(id),
      left: false,
      seen: { regrade: 0, summary: seen },
      scores,
    };
    await stores.deliveries.setDesired(place, [learner], {
      now: clock.now(),
      newId: () => randomIds.id("dlv"),
    });
  };
  const find = (id: string, columnKey = attendanceColumn) =>
    stores.deliveries.find({ ...place, columnKey, personId: personOf(id) });
  const rowOf = (id: string) => lms.gradebook(lmsCourse).learners.find((one) => one.personId === id);
  return {
    lms,
    tool,
    /** The course's id in the LMS. */
    lmsCourse,
    stores,
    course,
    deps,
    place,
    outcomes,
    clock,
    personOf,
    /** Time passes. */
    pass: (ms: number) => {
      time.ahead += ms;
    },
    /** From now on the tool's clock is this far (ms) ahead of the LMS's. */
    clockIsOff: (ms: number) => {
      time.off = ms;
    },
    /** Attendance yields scores for a learner: of 100 points, by column; a plain number is for the column of all sessions. */
    want: async (
      id: string,
      scores: number | null | Readonly<Record<string, number | null>>,
      comment: string | null = null,
    ) => {
      const given = typeof scores === "object" && scores !== null ? scores : { [attendanceColumn]: scores };
      const wanted = Object.entries(given).map(([key, score]): [string, SentScore] => [
        key,
        { score, maximum: 100, comment },
      ]);
      await wantScores(id, new Map(wanted));
    },
    /** Delivers until nothing is due any more. @param processes How many deliver at the same time. */
    deliver: async (processes = 1): Promise<void> => {
      const run = async () => {
        const step = deliveryStep(deps);
        for (let steps = 0; await step(); steps += 1) {
          if (steps > 2_000) throw new Error("delivering does not come to an end");
        }
      };
      await Promise.all(Array.from({ length: processes }, run));
    },
    /** The state of a learner's score. */
    find,
    /** The database forgets a learner's scores. */
    forget: async (id: string): Promise<void> => {
      await storedCollection(connection, "deliveries").deleteMany({ personId: personOf(id) });
    },
    /** Another process: it shares only the store. */
    anotherProcess: () => deliveryStep({ ...deps, ...clientsOf() }),
    /** An instructor decides about a learner's held score. */
    answer: async (id: string, answer: "send-ours" | "leave-theirs") =>
      answerConflict(deps, course, [(await find(id))?.id ?? ""], answer),
    /** A learner's cells, oldest column first. */
    cells: (id: string) => rowOf(id)?.grades ?? [],
    /** A learner's score in the first column. */
    grade: (id: string): number | null | undefined => rowOf(id)?.grades[0]?.value,
    columns: () => lms.gradebook(lmsCourse).columns,
    /** Calls that the tool made to a service, as "POST 200". */
    calls: (service: string): string[] =>
      lms
        .log()
        .filter((one) => one.service === service)
        .map(({ method, status }) => `${method} ${status}`),
    /** Nothing of this course is due any more, and the LMS behaves normally. */
    end: async () => {
      lms.faults.clear();
      time.off = 0;
      await deps.pauses.tryNow("reg_1");
      lms.setQuirks({ zeroUnreported: false, openEdx: false });
      for (const id of learnerIds(learners)) await wantScores(id, new Map());
    },
  };
}

export type GradebookCourse = Awaited<ReturnType<typeof openGradebookCourse>>;

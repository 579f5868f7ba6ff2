import type { Course } from "../../domain/course.ts";
import type { Registration } from "../../domain/registration.ts";
import { NamedError } from "../../kernel/errors.ts";
import { advice } from "../../kernel/refusal.ts";
import type { ConnectionProbes } from "../../lms/connection-probes.ts";
import type { LineItems } from "../../lms/line-items.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import type { Scores } from "../../lms/scores.ts";
import type { CourseStore } from "../courses/store/course-store.ts";
import type { RegistrationStore } from "./store/registration-store.ts";
import { askDescription, type DescribeApp, knownRegistration } from "./registrations.ts";
import type { ConnectionCheck, ConnectionReport } from "./rules/registration.ts";

type TestConnectionApp = DescribeApp & {
  registrations: Pick<RegistrationStore, "find">;
  courses: Pick<CourseStore, "latestOf">;
  probes: ConnectionProbes;
  /** A test also retries what waits for this LMS. */
  pauses: Pick<LmsPauses, "tryNow">;
  lineItems: Pick<LineItems, "list">;
  scores: Pick<Scores, "readResults">;
};

/** How many courses are searched for one with service addresses. */
const maxCourses = 20;

type Known = {
  registration: Registration;
  launched: boolean;
  withRoster: (Course & { membershipsUrl: string }) | null;
  withGrades: (Course & { lineItemsUrl: string }) | null;
  /** Scopes for which the LMS gives no token. Null if it gives no token at all. */
  missing: readonly string[] | null;
};

/**
 * Tries, only by reading, what the tool needs from an LMS: keys, a launch, an access token, the roster, columns and results. A step that can't
 * be tried says why. A missing scope is named, with where the LMS allows it.
 * @throws NamedError "no-such-registration". The LMS's errors are part of the report.
 */
export async function testConnection(
  app: TestConnectionApp,
  registrationId: string,
): Promise<ConnectionReport> {
  const registration = await knownRegistration(app.registrations, registrationId);
  const checkedAt = app.clock.now();
  await app.pauses.tryNow(registrationId);
  const keys = await tried("keys", async () => {
    return advice("connection-keys", { number: await app.probes.keys(registration) });
  });
  const latest = await app.courses.latestOf(registrationId, maxCourses);
  const courses = latest.map(({ course }) => course);
  const launch = launchCheck(app, registration, latest);
  const token = await tokenChecks(app, registration);
  const known: Known = {
    registration,
    launched: latest.length > 0,
    withRoster: courses.find(hasRoster) ?? null,
    withGrades: courses.find(hasGrades) ?? null,
    missing: token.missing,
  };
  const roster = await rosterCheck(app, known);
  const grades = await gradeChecks(app, known);
  const description = await descriptionChecks(app, registration);
  const checks = [keys, launch, ...token.checks, roster, ...grades, ...description];
  return { registrationId, checkedAt, checks };
}

/** Empty if the LMS lets no tool see its own registration. */
async function descriptionChecks(app: DescribeApp, registration: Registration): Promise<ConnectionCheck[]> {
  if (registration.description?.uri == null) return [];
  const check = await tried("description", async () => {
    const isCurrent = (await askDescription(app, registration, "read")) === null;
    return advice(isCurrent ? "description-current" : "description-older", {});
  });
  return [check];
}

function hasRoster(course: Course): course is Course & { membershipsUrl: string } {
  return course.membershipsUrl !== null;
}

function hasGrades(course: Course): course is Course & { lineItemsUrl: string } {
  return course.lineItemsUrl !== null;
}

function launchCheck(
  app: TestConnectionApp,
  registration: Registration,
  latest: Awaited<ReturnType<CourseStore["latestOf"]>>,
): ConnectionCheck {
  const [last] = latest;
  if (last === undefined) return notTried("launch", advice("launch-none", {}));
  const { title } = last.course;
  const services = latest.some(({ course }) => hasRoster(course) || hasGrades(course));
  if (services) return works("launch", advice("launch-latest", { title }));
  const where = app.probes.whereToAllow(registration, app.probes.needed.lineItem);
  return fails("launch", advice("launch-without-services", { title }), where, null);
}

async function tokenChecks(
  app: TestConnectionApp,
  registration: Registration,
): Promise<{ checks: ConnectionCheck[]; missing: readonly string[] | null }> {
  const needed = Object.values(app.probes.needed);
  try {
    const missing = await app.probes.missingScopes(registration, needed);
    if (missing.length === 0) {
      return { checks: [works("token", advice("token-given", {}))], missing };
    }
    const checks = missing.map((scope) =>
      fails("token", advice("scope-missing", { scope }), app.probes.whereToAllow(registration, scope), scope),
    );
    return { checks, missing };
  } catch (thrown) {
    return { checks: [failed("token", thrown)], missing: null };
  }
}

async function rosterCheck(app: TestConnectionApp, known: Known): Promise<ConnectionCheck> {
  const scope = app.probes.needed.membership;
  const { registration, withRoster } = known;
  const hindered = hindrance("roster", known, scope);
  if (hindered !== null) return hindered;
  if (withRoster === null) {
    const where = app.probes.whereToAllow(registration, scope);
    return fails("roster", advice("roster-unknown", {}), where, scope);
  }
  return tried("roster", async () => {
    await app.probes.roster(registration, withRoster.membershipsUrl);
    return advice("roster-readable", { title: withRoster.title });
  });
}

async function gradeChecks(app: TestConnectionApp, known: Known): Promise<ConnectionCheck[]> {
  const { lineItem } = app.probes.needed;
  const { registration, withGrades: course } = known;
  const unread = notTried("results", advice("columns-first", {}));
  const hindered = hindrance("line-items", known, lineItem);
  if (hindered !== null) return [hindered, unread];
  if (course === null) {
    const where = app.probes.whereToAllow(registration, lineItem);
    return [fails("line-items", advice("columns-unknown", {}), where, lineItem), unread];
  }
  const withheld = notGranted(app, "line-items", registration, course, [lineItem]);
  if (withheld !== null) return [withheld, unread];
  const found: { column: string | null } = { column: null };
  const columns = await tried("line-items", async () => {
    const { lineItemsUrl, gradeScopes: scopes } = course;
    const list = await app.lineItems.list({ registration, lineItemsUrl, scopes });
    found.column = list[0]?.id ?? null;
    const none = list.filter(({ scoreMaximum }) => scoreMaximum === 0).map(({ label }) => label);
    if (none.length > 0) return advice("columns-zero", { title: course.title, labels: none.join(", ") });
    return advice("columns-readable", { title: course.title, number: list.length });
  });
  if (columns.outcome !== "works") return [columns, unread];
  return [columns, await resultsCheck(app, known, course, found.column)];
}

async function resultsCheck(
  app: TestConnectionApp,
  known: Known,
  course: Course,
  column: string | null,
): Promise<ConnectionCheck> {
  const { result, score } = app.probes.needed;
  const { registration } = known;
  const hindered =
    hindrance("results", known, result) ?? notGranted(app, "results", registration, course, [result, score]);
  if (hindered !== null) return hindered;
  if (column === null) {
    return notTried("results", advice("results-none", {}));
  }
  return tried("results", async () => {
    await app.scores.readResults({ registration, lineItemUrl: column, scopes: course.gradeScopes });
    return advice("results-readable", {});
  });
}

/** A gradebook right that launches don't give, although there are tokens for it. Null if all are given. */
function notGranted(
  app: TestConnectionApp,
  step: Step,
  registration: Registration,
  course: Course,
  needed: readonly string[],
): ConnectionCheck | null {
  const scope = needed.find((one) => !course.gradeScopes.includes(one));
  if (scope === undefined) return null;
  const where = app.probes.whereToAllow(registration, scope);
  return fails(step, advice("launch-lacks-scope", { title: course.title, scope }), where, scope);
}

/** Why a service isn't tried. Null if it can be. */
function hindrance(step: Step, known: Known, scope: string): ConnectionCheck | null {
  if (known.missing === null) return notTried(step, advice("untested-token", {}));
  if (known.missing.includes(scope)) return notTried(step, advice("untested-scope", { scope }));
  if (!known.launched) return notTried(step, advice("untested-launch", {}));
  return null;
}

type Step = ConnectionCheck["step"];
type Advice = Pick<ConnectionCheck, "message" | "coded">;

async function tried(step: Step, act: () => Promise<Advice>): Promise<ConnectionCheck> {
  try {
    return works(step, await act());
  } catch (thrown) {
    return failed(step, thrown);
  }
}

/** Reports an LMS's error. Rethrows a defect of ours. */
function failed(step: Step, thrown: unknown): ConnectionCheck {
  if (!(thrown instanceof NamedError)) throw thrown;
  const { code, message, values } = thrown;
  return { step, outcome: "fails", message, coded: { code, values }, missingScope: null };
}

function works(step: Step, seen: Advice): ConnectionCheck {
  return { step, outcome: "works", ...seen, missingScope: null };
}

/** @param where Where in the LMS to allow it. */
function fails(step: Step, { message, coded }: Advice, where: string, missingScope: string | null) {
  return { step, outcome: "fails" as const, message: `${message} ${where}`, coded, missingScope };
}

function notTried(step: Step, why: Advice): ConnectionCheck {
  return { step, outcome: "not-tried", ...why, missingScope: null };
}

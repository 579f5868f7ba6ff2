import type { App } from "../../app.ts";
import type { ClassroomOverview } from "../../classroom/open-classrooms.ts";
import { type AccountId, isBuiltIn } from "../../domain/account.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { type Accounts, bindingsOf } from "../accounts/known-accounts.ts";
import type { StoredAccount } from "../accounts/rules/account-input.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { courseName } from "../courses/rules/course.ts";
import type { IsSpaceOrigin } from "../spaces/space-rights.ts";
import type { DoctorRun } from "./rules/records.ts";
import type { DoctorFound } from "./rules/set-up.ts";

type ClassroomApp = Pick<App, "accounts" | "courses" | "spaceRegister" | "spaceUsers"> &
  Pick<App, "doctorRuns" | "webhookArrivals" | "publicUrl" | "clock"> & {
    classroomOverview: (account: AccountId) => ClassroomOverview | undefined;
    /** Path of the file that overrides the dialect, or null. */
    dialectFile: string | null;
    isSpaceOrigin: IsSpaceOrigin;
  };

/** Only reads the store, never the classroom. */
export async function showClassroom(app: ClassroomApp) {
  const [environments, doctor] = await Promise.all([
    Promise.all(
      app.accounts.ids().flatMap((id) => {
        const overview = app.classroomOverview(id);
        return overview === undefined ? [] : [accountDetails(app, overview)];
      }),
    ),
    app.doctorRuns.find(),
  ]);
  return {
    environments,
    dialectFile: app.dialectFile,
    doctor,
    doctorState: stateOfDoctor(doctor, app.clock.now()),
  };
}

const maxCourses = 100;

async function elsewhereIn(app: ClassroomApp, environment: AccountId) {
  const spaces = await app.spaceRegister.listElsewhere(environment, maxCourses);
  const shut = spaces.filter(({ origin }) => !app.isSpaceOrigin(environment, origin));
  const origins = [...new Set(shut.map(({ origin }) => origin))];
  return Promise.all(
    origins.map(async (origin) => {
      const ids = shut.flatMap((one) => (one.origin === origin ? [one.courseId] : []));
      const listed = await app.courses.listMany([...new Set(ids)]);
      return { origin, courses: listed.map(({ course }) => ({ id: course.id, name: courseName(course) })) };
    }),
  );
}

async function accountDetails(
  app: ClassroomApp,
  { throttle, waiting, addresses, fails: _fails, ...facts }: ClassroomOverview,
) {
  const [state, remembered, failed, webhooks, elsewhere] = await Promise.all([
    throttle(),
    addresses(),
    app.spaceUsers.countFailed(facts.environment),
    app.webhookArrivals.find(facts.environment),
    elsewhereIn(app, facts.environment),
  ]);
  return {
    ...facts,
    webhookUrl: `${app.publicUrl}/webhooks/${facts.environment}`,
    throttle: state,
    waiting: waiting(),
    addresses: remembered,
    /** People that the classroom didn't add to a Space at their last entry. */
    notAdded: failed,
    webhooks,
    /** Foreign origins that the service named for new Spaces, with their courses. */
    elsewhere,
  };
}

type DoctorApp = AuditApp &
  Pick<App, "doctorRuns" | "logger"> & {
    /** Examines all accounts that aren't paused, or one. */
    examineClassrooms: (only?: AccountId) => Promise<DoctorFound>;
  };

/** One account, for its LMS. */
type DoctorOfAccount = { account: AccountId; registrationId: string };

/** Runs the doctor unless one is running in any process. @returns its end, for callers that wait, or null if none was started */
export async function runDoctor(
  app: DoctorApp,
  of: DoctorOfAccount | null = null,
): Promise<{ ended: Promise<void> } | null> {
  const { doctorRuns, clock } = app;
  const holder = app.ids.id("doc");
  const now = clock.now();
  const account = of?.account ?? null;
  if (!(await doctorRuns.begin(account, holder, { now, until: now + leaseMs }))) return null;
  const registrationId = of?.registrationId ?? null;
  await writeAudit(app, { what: "doctor-asked", registrationId, on: account ?? "" });
  const ended = withClaim(
    app,
    { until: now + leaseMs, extend: (until) => doctorRuns.extend(account, holder, until) },
    () => examined(app, account, holder),
  ).catch((thrown: unknown) => {
    // The claim expires, and the page then says that the examination was broken off.
    app.logger.warn({ error: messageOf(thrown) }, "the doctor's result could not be kept");
  });
  return { ended };
}

async function examined(
  { doctorRuns, examineClassrooms, clock, logger }: DoctorApp,
  account: AccountId | null,
  holder: string,
): Promise<void> {
  try {
    const found = withoutAddresses(await examineClassrooms(account ?? undefined));
    await doctorRuns.end(account, holder, { endedAt: clock.now(), problem: null, found });
  } catch (thrown) {
    logger.warn({ error: messageOf(thrown) }, "the doctor could not examine everything");
    const problem = thrown instanceof NamedError ? thrown.message : "It ended with an error; see the log.";
    await doctorRuns.end(account, holder, { endedAt: clock.now(), problem, found: null });
  }
}

/** Without the addresses and ids that only the command line shows. */
function withoutAddresses({ well, tool, environments }: DoctorFound): DoctorFound {
  return {
    well,
    tool,
    environments: environments.map(({ environment, findings }) => ({ environment, findings })),
  };
}

/** Whether it's running, has ended, or was broken off with its process. */
export function stateOfDoctor(
  run: DoctorRun | null,
  now: number,
): "never" | "running" | "broken-off" | "ended" {
  if (run?.startedAt == null) return "never";
  if (run.leaseUntil > now) return "running";
  return run.endedAt === null || run.endedAt < run.startedAt ? "broken-off" : "ended";
}

type RemovalApp = AuditApp &
  Pick<App, "classroomAccounts" | "registrations" | "deployments" | "invitations" | "personalRecords"> & {
    accounts: Pick<Accounts, "find" | "refresh">;
  };

/** What keeps an account from being removed, in the order of the checks. */
const accountUses = ["lms", "registering", "courses", "records"] as const;
export type AccountUse = (typeof accountUses)[number];

/** Longer than any registration takes. */
const registeringMs = 10 * 60_000;

/** Kinds of record made with an account. Either `environment` comes first in one of their indexes, or they are few. */
const madeWithAccount = [
  "Person",
  "RegisteredSpace",
  "ClassroomEvent",
  "Receipt",
  "Cohort",
  "Presence",
] as const;

/** Null: nothing belongs to the account, so it may be removed. @throws NamedError "account-unknown", "account-built-in" */
export async function accountUseOf(app: RemovalApp, id: AccountId): Promise<AccountUse | null> {
  await requireStored(app, id);
  return useOf(app, id);
}

async function useOf(app: RemovalApp, id: AccountId): Promise<AccountUse | null> {
  const registrations = await app.registrations.list();
  const bindings = await bindingsOf(app, registrations);
  if (
    registrations.some(({ environment }) => environment === id) ||
    bindings.some(({ account }) => account === id)
  )
    return "lms";
  if (await app.invitations.isTakenSince(id, app.clock.now() - registeringMs)) return "registering";
  if (await hasAny(app, "Course", id)) return "courses";
  for (const model of madeWithAccount) if (await hasAny(app, model, id)) return "records";
  return null;
}

/**
 * Removes an account that nobody uses, for example that of an unused invitation. Open invitations to it end.
 * @throws NamedError "account-unknown", "account-built-in", "account-changed", "account-has-lms", "account-registering",
 * "account-has-courses", "account-has-records"
 */
export async function removeAccount(app: RemovalApp, id: AccountId): Promise<void> {
  const stored = await requireStored(app, id);
  await refuseUsed(app, id);
  await app.invitations.withdraw(id);
  // An LMS may have registered since.
  await refuseUsed(app, id);
  await app.classroomAccounts.remove(stored);
  await writeAudit(app, { what: "account-removed", registrationId: null, on: id });
  await app.accounts.refresh();
}

async function requireStored(
  { classroomAccounts, accounts }: RemovalApp,
  id: AccountId,
): Promise<StoredAccount> {
  const stored = await classroomAccounts.find(id);
  if (stored !== null) return stored;
  const values = { account: id };
  if (isBuiltIn(id) && accounts.find(id) !== undefined)
    throw refusal("account-built-in", { status: 409, values });
  throw refusal("account-unknown", { status: 404, values });
}

async function refuseUsed(app: RemovalApp, id: AccountId): Promise<void> {
  const use = await useOf(app, id);
  if (use !== null) throw refusal(codes[use], { status: 409, values: { account: id } });
}

/** What kept `removeAccount` from removing it, or null for another error. */
export function useThatRefused(thrown: unknown): AccountUse | null {
  if (!(thrown instanceof NamedError)) return null;
  return accountUses.find((use) => codes[use] === thrown.code) ?? null;
}

const codes = {
  lms: "account-has-lms",
  registering: "account-registering",
  courses: "account-has-courses",
  records: "account-has-records",
} as const satisfies Record<AccountUse, string>;

async function hasAny({ personalRecords }: RemovalApp, model: string, environment: AccountId) {
  return (await personalRecords.list(model, { environment }, "", 1)).length > 0;
}

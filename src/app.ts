import type { Classrooms } from "./classroom/open-classrooms.ts";
import type { Config } from "./config.ts";
import type { Course } from "./domain/course.ts";
import type { Matchable } from "./inbox/rules/receipt.ts";
import type { Background } from "./kernel/async.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Ids } from "./kernel/ids.ts";
import type { Logger } from "./kernel/logger.ts";
import type { Metrics } from "./kernel/metrics.ts";
import type { Sealer } from "./kernel/sealer.ts";
import type { Lms } from "./lms/open-lms.ts";
import type { Accounts } from "./modules/accounts/known-accounts.ts";
import type { KnownBrands } from "./modules/courses/institution.ts";
import type { WaitingQueue } from "./modules/joining/waiting-queue.ts";
import type { Dialogs } from "./modules/links/pages/hand-over.ts";
import type { OperatorReport } from "./modules/operations/health.ts";
import type { WhileSessionsChange } from "./modules/scheduling/keep-event.ts";
import type { Stores } from "./open-stores.ts";
import type { StoreClock } from "./storage/store-clock.ts";
import type { Wake } from "./tasks/work.ts";
import type { SessionCookie } from "./web/session-address.ts";
import type { Framing } from "./web/security-headers.ts";
import type { Sessions, SignOut } from "./web/session.ts";
import type { TranslatorOf } from "./web/translate.ts";

/**
 * Everything that parts of the tool may ask for: stores, walls, and services that several modules use. A use case names what it needs
 * with `Pick<App, ...>`; routes and workers take the whole App. Services of a single module don't belong here.
 */
export type App = Stores &
  Lms &
  Classrooms & {
    config: Config;
    /** Where browsers and LMSs reach the tool, without a trailing slash. */
    publicUrl: string;
    /** The classroom's accounts. */
    accounts: Accounts;
    clock: Clock;
    ids: Ids;
    logger: Logger;
    background: Background;
    metrics: Metrics;
    /** Checks a file or object that overrides the dialect. @throws NamedError "classroom-dialect-invalid" */
    parseDialect: (overrides: unknown) => unknown;
    /** Seals with SECRET_KEY, and also opens values sealed with SECRET_KEY_PREVIOUS. */
    sealer: Sealer;
    /** Returns a number between 0 and 1; spreads retries. */
    random: () => number;
    translatorOf: TranslatorOf;
    /** Course sessions. Each page that reads a session says which LMS may frame it. */
    sessions: Sessions;
    signOut: SignOut["signOut"];
    sessionCookie: SessionCookie;
    framing: Framing;
    /** The branding of each LMS's courses. */
    brands: KnownBrands;
    /** Deep linking requests that are under way. */
    dialogs: Dialogs;
    wake: Wake;
    /** Makes a job run now. @returns false if there is no such job. */
    runJob: (name: string) => Promise<boolean>;
    /** The state of the tool, as /readyz shows it. */
    report: () => Promise<OperatorReport>;
    /** The store's time, which `clock` follows. */
    storeTime: Omit<StoreClock, "sleep">;
    /** From this age (ms) of the oldest unsent score on, there is an alarm. */
    unsentAlarmAfter: number;
    /** The people who wait to be let in, as far as this process serves their pages. */
    waitingQueue: WaitingQueue;
    /** Processes webhooks again that may have waited for something that has now appeared. */
    onMatchable: (what: Matchable) => Promise<void>;
    /** Computes a course's scores again after its sessions changed. */
    onSessionsChanged: (courseId: string) => Promise<void>;
    /** Makes a change to sessions that affects scores. The scores are computed even if this process dies. */
    whileSessionsChange: WhileSessionsChange;
    /** One regrade for many changes: call `before` ahead of each change, `after` when all are made. */
    regradeAfterChanges: (course: Pick<Course, "id" | "registrationId">) => {
      before: () => Promise<void>;
      after: () => Promise<void>;
    };
  };

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
 * What every part of the tool may ask for: stores, walls, and services that several modules use. A use case names what it
 * takes with `Pick<App, ...>`; routes and workers take the whole. What one module alone uses is no part of this.
 */
export type App = Stores &
  Lms &
  Classrooms & {
    config: Config;
    /** Where browsers and LMSs reach the tool; no trailing slash. */
    publicUrl: string;
    /** The classroom's accounts. */
    accounts: Accounts;
    clock: Clock;
    ids: Ids;
    logger: Logger;
    background: Background;
    metrics: Metrics;
    /** Judges what overrides a dialect. @throws NamedError "classroom-dialect-invalid" */
    parseDialect: (overrides: unknown) => unknown;
    /** Seals under SECRET_KEY; opens what SECRET_KEY_PREVIOUS sealed, too. */
    sealer: Sealer;
    /** Between 0 and 1; spreads retries. */
    random: () => number;
    translatorOf: TranslatorOf;
    /** Course sessions; each page that reads one says which LMS may frame it. */
    sessions: Sessions;
    signOut: SignOut["signOut"];
    sessionCookie: SessionCookie;
    framing: Framing;
    /** How the courses of each LMS look. */
    brands: KnownBrands;
    /** Deep linking requests under way. */
    dialogs: Dialogs;
    wake: Wake;
    /** Has a job run now. @returns false when there is no such job. */
    runJob: (name: string) => Promise<boolean>;
    /** How the tool is, as /readyz shows it. */
    report: () => Promise<OperatorReport>;
    /** `clock` goes by it. */
    storeTime: Omit<StoreClock, "sleep">;
    /** Age (ms) of the oldest unsent score from which it is an alarm. */
    unsentAlarmAfter: number;
    /** Where people wait to be let in, as far as this process serves their pages. */
    waitingQueue: WaitingQueue;
    /** Something appeared that webhooks may have waited for: those are processed again. */
    onMatchable: (what: Matchable) => Promise<void>;
    /** Sessions of a course changed: its scores are computed again. */
    onSessionsChanged: (courseId: string) => Promise<void>;
    /** Makes a change to sessions that scores follow from; the scores are computed even when this process dies. */
    whileSessionsChange: WhileSessionsChange;
    /** One regrade after many changes: `before` each, `after` the last. */
    regradeAfterChanges: (course: Pick<Course, "id" | "registrationId">) => {
      before: () => Promise<void>;
      after: () => Promise<void>;
    };
  };

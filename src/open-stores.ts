import {
  createAttendanceMarkStore,
  createAttendanceStore,
  createAttendanceSummaryStore,
} from "./modules/attendance/store/attendance-stores.ts";
import { createExcuseStore, createLearnerWordStore } from "./modules/attendance/store/word-stores.ts";
import type { Connection } from "mongoose";
import { steadyClock, systemClock } from "./kernel/clock.ts";
import { createLogger } from "./kernel/logger.ts";
import { randomIds } from "./kernel/ids.ts";
import { leaseMs } from "./kernel/with-claim.ts";
import {
  createAccessTokenStore,
  createConnectionTestStore,
  createInvitationStore,
  createNonceStore,
  createToolKeyStore,
} from "./modules/registration/store/keys-and-invitations.ts";
import { createApiKeyStore } from "./modules/api/store/api-key-store.ts";
import { createAccountStore } from "./modules/accounts/store/account-store.ts";
import {
  createAddressStore,
  createInstitutionDefaultsStore,
  createBrandingStore,
} from "./modules/courses/store/institution-stores.ts";
import {
  createAlarmStore,
  createDoctorRunStore,
  createJobStore,
  createRestoreStore,
} from "./modules/operations/store/upkeep-stores.ts";
import { createAskedEventStore, createEventStore } from "./modules/scheduling/store/event-store.ts";
import { createAttendanceReadings } from "./modules/attendance/attendance-readings.ts";
import { createAuditStore, createCourseAuditStore } from "./modules/audit/store/audit-store.ts";
import { createBrowserSessionStore } from "./storage/browser-session-store.ts";
import { createCohortStore, createSectionLinkStore } from "./modules/cohorts/store/cohort-store.ts";
import {
  createClassroomAlertLists,
  createClassroomAlertStore,
} from "./modules/alerts/store/classroom-alert-store.ts";
import { createColumnStore } from "./modules/grading/store/column-store.ts";
import { createCheckInStore } from "./modules/check-in/store/check-in-store.ts";
import {
  createCourseLinkStore,
  createLinkChoiceStore,
  createHandedAnswerStore,
} from "./modules/links/store/link-stores.ts";
import {
  createCourseCopyStore,
  createNoticeStore,
  createNoticeSubscriptionStore,
} from "./modules/courses/store/notice-stores.ts";
import { createCourseStore } from "./modules/courses/store/course-store.ts";
import { createDeliveryStore } from "./modules/grading/store/delivery-store.ts";
import {
  createDeploymentStore,
  createRegistrationMoves,
  createRegistrationStore,
} from "./modules/registration/store/registration-store.ts";
import { dueHeadsOf } from "./storage/due-heads.ts";
import { createDueTimes } from "./storage/due-queue.ts";
import {
  createErasureStore,
  createPersonalRecordStore,
  createPrivacyReceiptStore,
  createTombstoneStore,
} from "./modules/privacy/store/erasure-store.ts";
import { createExpectedClassStore, createLoginStore } from "./modules/joining/store/prepared-store.ts";
import { createFeedbackStore } from "./modules/feedback/store/feedback-store.ts";
import {
  createLmsPauseStore,
  createRefusedLaunchStore,
} from "./modules/registration/store/lms-trouble-store.ts";
import {
  createConsoleLists,
  createConsoleSessionStore,
  createLoginAttemptStore,
} from "./modules/operations/store/console-stores.ts";
import {
  createMailedAlarmStore,
  createMailStopStore,
  createMailStore,
} from "./modules/mail/store/mail-store.ts";
import { createMemberStore, createOfficeJoinStore } from "./modules/members/store/member-store.ts";
import { createSectionStore } from "./modules/members/store/section-store.ts";
import { ensureIndexes, patiently } from "./storage/open-database.ts";
import {
  createPendingRegradeStore,
  createRegradeStore,
  createResendStore,
} from "./modules/grading/store/regrade-store.ts";
import { createPersonStore } from "./modules/members/store/person-store.ts";
import { createQueuePositionStore } from "./modules/joining/store/queue-position-store.ts";
import { createQueueSummaryStore } from "./modules/joining/store/queue-order.ts";
import { prepareSchema, type PrepareSchemaDeps, requireSchema } from "./storage/prepare-schema.ts";
import { createPresenceStore } from "./modules/presence/store/presence-store.ts";
import { createProvisioningStore } from "./modules/members/store/provisioning-store.ts";
import { createReceiptStore } from "./inbox/store/receipt-store.ts";
import {
  createRecordingDecisionStore,
  createRecordingStore,
  createRecordingTextStore,
  createSessionEndStore,
} from "./modules/recordings/store/recording-store.ts";
import { createRosterReadings } from "./modules/members/roster-readings.ts";
import {
  createCalendarStore,
  createSeriesChangeStore,
  createSessionPlanStore,
} from "./modules/scheduling/store/session-plan-store.ts";
import { createSpaceRegister } from "./modules/spaces/store/space-register.ts";
import { createSpaceRequestStore, createSpaceUserStore } from "./modules/spaces/store/space-user-store.ts";
import {
  createUnassignedEventStore,
  createUnmatchedAttendanceStore,
  createUserMatchStore,
} from "./modules/matching/store/matching-store.ts";
import { createTaskStore } from "./storage/task-store.ts";
import { createTaskQueue } from "./tasks/task-queue.ts";
import { talliesOf } from "./storage/tally-store.ts";
import { createThrottleStore } from "./storage/throttle-store.ts";
import { createSessionFiguresStore } from "./modules/analytics/store/session-figures-store.ts";
import { createUnplannedClassStore } from "./modules/unplanned/store/unplanned-class-store.ts";
import {
  createUnknownWebhookStore,
  createWebhookArrivalStore,
} from "./modules/operations/store/webhook-stores.ts";
import { createUsageStore } from "./modules/usage/store/usage-store.ts";
import { createWaitingWork } from "./modules/operations/store/waiting-work.ts";

export type Stores = Awaited<ReturnType<typeof openStores>>;

/**
 * Opens every store on one connection. Resolves when records of earlier releases are migrated and all unique keys exist.
 * @param schema.asItIs For commands that only read: creates and migrates nothing, on a connection opened with the same option.
 * @throws NamedError "database-newer", "database-older" or "database-incomplete"
 */
export async function openStores(
  connection: Connection,
  schema: PrepareSchemaDeps & { asItIs?: boolean } = {},
) {
  const { clock = systemClock, ids = randomIds, patienceMs = 0, asItIs = false } = schema;
  const { logger = createLogger("silent") } = schema;
  const waiting = { clock, logger, patienceMs };
  await patiently(waiting, () => (asItIs ? requireSchema : prepareSchema)(connection, schema));
  const { now: elapsed } = steadyClock(clock);
  const dueHeads = dueHeadsOf(connection, elapsed);
  const tasks = createTaskQueue(createTaskStore(connection));
  const institutionDefaults = createInstitutionDefaultsStore(connection);
  const pendingRegrades = createPendingRegradeStore(connection);
  const stores = {
    accessTokens: createAccessTokenStore(connection),
    addresses: createAddressStore(connection),
    alarms: createAlarmStore(connection),
    apiKeys: createApiKeyStore(connection),
    askedEvents: createAskedEventStore(connection),
    attendance: createAttendanceStore(connection),
    attendanceMarks: createAttendanceMarkStore(connection),
    attendanceReadings: createAttendanceReadings(tasks),
    audit: createAuditStore(connection),
    browserSessions: createBrowserSessionStore(connection),
    calendars: createCalendarStore(connection),
    cohorts: createCohortStore(connection),
    classroomAccounts: createAccountStore(connection),
    classroomAlerts: createClassroomAlertStore(connection),
    columns: createColumnStore(connection),
    consoleSessions: createConsoleSessionStore(connection),
    checkIns: createCheckInStore(connection),
    connectionTests: createConnectionTestStore(connection),
    courseAudit: createCourseAuditStore(connection),
    courseLinks: createCourseLinkStore(connection),
    courseCopies: createCourseCopyStore(connection),
    courses: createCourseStore(connection, institutionDefaults),
    deliveries: createDeliveryStore(connection),
    deployments: createDeploymentStore(connection),
    doctorRuns: createDoctorRunStore(connection),
    dueHeads,
    dueTimes: createDueTimes(connection),
    erasures: createErasureStore(connection),
    events: createEventStore(connection),
    excuses: createExcuseStore(connection),
    expectedClasses: createExpectedClassStore(connection),
    feedback: createFeedbackStore(connection),
    handedAnswers: createHandedAnswerStore(connection),
    institutionDefaults,
    brandings: createBrandingStore(connection),
    invitations: createInvitationStore(connection),
    jobs: createJobStore(connection),
    lmsPauses: createLmsPauseStore(connection),
    loginAttempts: createLoginAttemptStore(connection),
    logins: createLoginStore(connection),
    learnerWords: createLearnerWordStore(connection),
    linkChoices: createLinkChoiceStore(connection),
    mailedAlarms: createMailedAlarmStore(connection),
    mails: createMailStore(connection),
    mailStops: createMailStopStore(connection),
    members: createMemberStore(connection),
    nonces: createNonceStore(connection),
    officeJoins: createOfficeJoinStore(connection),
    notices: createNoticeStore(connection),
    noticeSubscriptions: createNoticeSubscriptionStore(connection),
    pendingRegrades,
    people: createPersonStore(connection, (pending) =>
      pendingRegrades.note({ id: ids.id("prg"), ...pending, dueAt: clock.now() + leaseMs }),
    ),
    personalRecords: createPersonalRecordStore(connection),
    queuePositions: createQueuePositionStore(connection),
    queueSummaries: createQueueSummaryStore(connection),
    presences: createPresenceStore(connection),
    provisioning: createProvisioningStore(connection),
    receipts: createReceiptStore(connection),
    recordings: createRecordingStore(connection),
    recordingTexts: createRecordingTextStore(connection),
    recordingDecisions: createRecordingDecisionStore(connection),
    registrationMoves: createRegistrationMoves(connection),
    refusedLaunches: createRefusedLaunchStore(connection),
    registrations: createRegistrationStore(connection),
    regrades: createRegradeStore(connection),
    resends: createResendStore(connection),
    restores: createRestoreStore(connection, elapsed),
    rosterSyncs: createRosterReadings(tasks),
    sectionLinks: createSectionLinkStore(connection),
    sections: createSectionStore(connection),
    seriesChanges: createSeriesChangeStore(connection),
    sessionEnds: createSessionEndStore(connection),
    sessionPlans: createSessionPlanStore(connection),
    spaceRegister: createSpaceRegister(connection),
    spaceRequests: createSpaceRequestStore(connection),
    spaceUsers: createSpaceUserStore(connection),
    attendanceSummaries: createAttendanceSummaryStore(connection),
    unassignedEvents: createUnassignedEventStore(connection),
    tasks,
    tallies: talliesOf(connection),
    throttle: createThrottleStore(connection),
    tombstones: createTombstoneStore(connection),
    toolKeys: createToolKeyStore(connection),
    sessionFigures: createSessionFiguresStore(connection),
    unplannedClasses: createUnplannedClassStore(connection),
    unmatchedAttendance: createUnmatchedAttendanceStore(connection),
    unknownWebhooks: createUnknownWebhookStore(connection),
    userMatches: createUserMatchStore(connection),
    usage: createUsageStore(connection),
    webhookArrivals: createWebhookArrivalStore(connection),
  };
  if (!asItIs) await ensureIndexes(connection, waiting);
  const lists = {
    alertLists: createClassroomAlertLists(connection),
    consoleLists: createConsoleLists(connection),
    waitingWork: createWaitingWork(connection),
  };
  return { ...stores, ...lists, privacyReceipts: createPrivacyReceiptStore(connection) };
}

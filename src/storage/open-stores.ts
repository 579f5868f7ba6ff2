import type { Connection } from "mongoose";
import { systemClock } from "../kernel/clock.ts";
import { createLogger } from "../kernel/logger.ts";
import { createAccessTokenStore } from "./access-token-store.ts";
import { createAddressStore } from "./address-store.ts";
import { createAlarmStore } from "./alarm-store.ts";
import { createAskedEventStore } from "./asked-event-store.ts";
import { createAttendanceReadingStore } from "./attendance-reading-store.ts";
import { createAttendanceMarkStore } from "./attendance-mark-store.ts";
import { createAttendanceStore } from "./attendance-store.ts";
import { createAuditStore } from "./audit-store.ts";
import { createBrowserSessionStore } from "./browser-session-store.ts";
import { createCalendarStore } from "./calendar-store.ts";
import { createCohortStore } from "./cohort-store.ts";
import { createClassroomAlertStore } from "./classroom-alert-store.ts";
import { createColumnStore } from "./column-store.ts";
import { createConnectionTestStore } from "./connection-test-store.ts";
import { createCourseAuditStore } from "./course-audit-store.ts";
import { createCourseLinkStore } from "./course-link-store.ts";
import { createCourseCopyStore } from "./course-copy-store.ts";
import { createCourseStore } from "./course-store.ts";
import { createDeliveryStore } from "./delivery-store.ts";
import { createDeploymentStore } from "./deployment-store.ts";
import { createDoctorRunStore } from "./doctor-run-store.ts";
import { dueHeadsOf } from "./due-heads.ts";
import { createDueTimes } from "./due-times.ts";
import { createEndedSessionStore } from "./ended-session-store.ts";
import { createErasureStore } from "./erasure-store.ts";
import { createTombstoneStore } from "./erasure-tombstone-store.ts";
import { createEventStore } from "./event-store.ts";
import { createExpectedClassStore } from "./expected-class-store.ts";
import { createFeedbackStore } from "./feedback-store.ts";
import { createHandedAnswerStore } from "./handed-answer-store.ts";
import { createInstitutionDefaultsStore } from "./institution-defaults-store.ts";
import { createInvitationStore } from "./invitation-store.ts";
import { createJobStore } from "./job-store.ts";
import { createLmsPauseStore } from "./lms-pause-store.ts";
import { createLoginAttemptStore } from "./login-attempt-store.ts";
import { createLinkChoiceStore } from "./link-choice-store.ts";
import { createLoginStore } from "./login-store.ts";
import { createMemberStore } from "./member-store.ts";
import { createNonceStore } from "./nonce-store.ts";
import { createNoticeStore } from "./notice-store.ts";
import { createNoticeSubscriptionStore } from "./notice-subscription-store.ts";
import { ensureIndexes, patiently } from "./open-database.ts";
import { createOwedGradingStore } from "./owed-grading-store.ts";
import { createPersonalRecordStore } from "./personal-record-store.ts";
import { createPersonStore } from "./person-store.ts";
import { createPlaceStore } from "./place-store.ts";
import { prepareSchema, type PrepareSchemaDeps } from "./prepare-schema.ts";
import { createPresenceStore } from "./presence-store.ts";
import { createPrivacyReceiptStore } from "./privacy-receipt-store.ts";
import { createProvisioningStore } from "./provisioning-store.ts";
import { createReceiptStore } from "./receipt-store.ts";
import { createRecordingDecisionStore } from "./recording-decision-store.ts";
import { createRecordingReadingStore } from "./recording-reading-store.ts";
import { createRecordingStore } from "./recording-store.ts";
import { createRecordingTextStore } from "./recording-text-store.ts";
import { createRegistrationMoves } from "./registration-moves.ts";
import { createRegistrationStore } from "./registration-store.ts";
import { createRegradeStore } from "./regrade-store.ts";
import { createResendStore } from "./resend-store.ts";
import { createRestoreStore } from "./restore-store.ts";
import { createRosterSyncStore } from "./roster-sync-store.ts";
import { createSectionLinkStore } from "./section-link-store.ts";
import { createSectionStore } from "./section-store.ts";
import { createSeriesChangeStore } from "./series-change-store.ts";
import { createSessionEndStore } from "./session-end-store.ts";
import { createSessionPlanStore } from "./session-plan-store.ts";
import { createSpaceRegister } from "./space-register.ts";
import { createSpaceRequestStore } from "./space-request-store.ts";
import { createSpaceUserStore } from "./space-user-store.ts";
import { createStandingStore } from "./standing-store.ts";
import { createStrayEventStore } from "./stray-event-store.ts";
import { talliesOf } from "./tally-store.ts";
import { createThrottleStore } from "./throttle-store.ts";
import { createToolKeyStore } from "./tool-key-store.ts";
import { createUnmatchedAttendanceStore } from "./unmatched-attendance-store.ts";
import { createUnknownWebhookStore } from "./unknown-webhook-store.ts";
import { createUserMatchStore } from "./user-match-store.ts";
import { createWebhookArrivalStore } from "./webhook-arrival-store.ts";
import { createClassroomAlertLists } from "./classroom-alert-lists.ts";
import { createConsoleLists } from "./console-lists.ts";

export type Stores = Awaited<ReturnType<typeof openStores>>;

/**
 * Every store on one connection; resolves when records of earlier releases are brought forward and all unique keys exist.
 * @throws NamedError "database-newer" or "database-incomplete"
 */
export async function openStores(connection: Connection, schema: PrepareSchemaDeps = {}) {
  const { clock = systemClock, logger = createLogger("silent"), patienceMs = 0 } = schema;
  const waiting = { clock, logger, patienceMs };
  await patiently(waiting, () => prepareSchema(connection, schema));
  const institutionDefaults = createInstitutionDefaultsStore(connection);
  const stores = {
    accessTokens: createAccessTokenStore(connection),
    addresses: createAddressStore(connection),
    alarms: createAlarmStore(connection),
    askedEvents: createAskedEventStore(connection),
    attendance: createAttendanceStore(connection),
    attendanceMarks: createAttendanceMarkStore(connection),
    attendanceReadings: createAttendanceReadingStore(connection),
    audit: createAuditStore(connection),
    browserSessions: createBrowserSessionStore(connection),
    calendars: createCalendarStore(connection),
    cohorts: createCohortStore(connection),
    classroomAlerts: createClassroomAlertStore(connection),
    columns: createColumnStore(connection),
    connectionTests: createConnectionTestStore(connection),
    courseAudit: createCourseAuditStore(connection),
    courseLinks: createCourseLinkStore(connection),
    courseCopies: createCourseCopyStore(connection),
    courses: createCourseStore(connection, institutionDefaults.find),
    deliveries: createDeliveryStore(connection),
    deployments: createDeploymentStore(connection),
    doctorRuns: createDoctorRunStore(connection),
    dueHeads: dueHeadsOf(connection),
    dueTimes: createDueTimes(connection),
    endedSessions: createEndedSessionStore(connection),
    erasures: createErasureStore(connection),
    events: createEventStore(connection),
    expectedClasses: createExpectedClassStore(connection),
    feedback: createFeedbackStore(connection),
    handedAnswers: createHandedAnswerStore(connection),
    institutionDefaults,
    invitations: createInvitationStore(connection),
    jobs: createJobStore(connection),
    lmsPauses: createLmsPauseStore(connection),
    loginAttempts: createLoginAttemptStore(connection),
    logins: createLoginStore(connection),
    linkChoices: createLinkChoiceStore(connection),
    members: createMemberStore(connection),
    nonces: createNonceStore(connection),
    notices: createNoticeStore(connection),
    noticeSubscriptions: createNoticeSubscriptionStore(connection),
    owedGrading: createOwedGradingStore(connection),
    people: createPersonStore(connection),
    personalRecords: createPersonalRecordStore(connection),
    places: createPlaceStore(connection),
    presences: createPresenceStore(connection),
    provisioning: createProvisioningStore(connection),
    receipts: createReceiptStore(connection),
    recordings: createRecordingStore(connection),
    recordingTexts: createRecordingTextStore(connection),
    recordingDecisions: createRecordingDecisionStore(connection),
    recordingReadings: createRecordingReadingStore(connection),
    registrationMoves: createRegistrationMoves(connection),
    registrations: createRegistrationStore(connection),
    regrades: createRegradeStore(connection),
    resends: createResendStore(connection),
    restores: createRestoreStore(connection),
    rosterSyncs: createRosterSyncStore(connection),
    sectionLinks: createSectionLinkStore(connection),
    sections: createSectionStore(connection),
    seriesChanges: createSeriesChangeStore(connection),
    sessionEnds: createSessionEndStore(connection),
    sessionPlans: createSessionPlanStore(connection),
    spaceRegister: createSpaceRegister(connection),
    spaceRequests: createSpaceRequestStore(connection),
    spaceUsers: createSpaceUserStore(connection),
    standings: createStandingStore(connection),
    strayEvents: createStrayEventStore(connection),
    tallies: talliesOf(connection),
    throttle: createThrottleStore(connection),
    tombstones: createTombstoneStore(connection),
    toolKeys: createToolKeyStore(connection),
    unmatchedAttendance: createUnmatchedAttendanceStore(connection),
    unknownWebhooks: createUnknownWebhookStore(connection),
    userMatches: createUserMatchStore(connection),
    webhookArrivals: createWebhookArrivalStore(connection),
  };
  await ensureIndexes(connection, waiting);
  const lists = {
    alertLists: createClassroomAlertLists(connection),
    consoleLists: createConsoleLists(connection),
  };
  return { ...stores, ...lists, privacyReceipts: createPrivacyReceiptStore(connection) };
}

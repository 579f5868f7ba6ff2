import type { Connection } from "mongoose";
import { createAccessTokenStore } from "./access-token-store.ts";
import { createAttendanceStore } from "./attendance-store.ts";
import { createColumnStore } from "./column-store.ts";
import { createCourseStore } from "./course-store.ts";
import { createDeliveryStore } from "./delivery-store.ts";
import { createDeploymentStore } from "./deployment-store.ts";
import { createEventStore } from "./event-store.ts";
import { createInvitationStore } from "./invitation-store.ts";
import { createLaunchRecordStore } from "./launch-record-store.ts";
import { createMemberStore } from "./member-store.ts";
import { createNonceStore } from "./nonce-store.ts";
import { ensureIndexes } from "./open-database.ts";
import { createPersonStore } from "./person-store.ts";
import { createReceiptStore } from "./receipt-store.ts";
import { createRegistrationStore } from "./registration-store.ts";
import { createThrottleStore } from "./throttle-store.ts";
import { createToolKeyStore } from "./tool-key-store.ts";

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Every store on one connection; resolves when all unique keys exist. */
export async function openStores(connection: Connection) {
  const stores = {
    accessTokens: createAccessTokenStore(connection),
    attendance: createAttendanceStore(connection),
    columns: createColumnStore(connection),
    courses: createCourseStore(connection),
    deliveries: createDeliveryStore(connection),
    deployments: createDeploymentStore(connection),
    events: createEventStore(connection),
    invitations: createInvitationStore(connection),
    launchRecords: createLaunchRecordStore(connection),
    members: createMemberStore(connection),
    nonces: createNonceStore(connection),
    people: createPersonStore(connection),
    receipts: createReceiptStore(connection),
    registrations: createRegistrationStore(connection),
    throttle: createThrottleStore(connection),
    toolKeys: createToolKeyStore(connection),
  };
  await ensureIndexes(connection);
  return stores;
}

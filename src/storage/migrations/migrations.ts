import { attendanceReadingsAreTasks } from "./attendance-readings-are-tasks.ts";
import { apiUsersByRole } from "./api-users-by-role.ts";
import { digestInvitations } from "./digest-invitations.ts";
import { listEarlyMembers } from "./list-early-members.ts";
import type { Migration } from "./migration.ts";
import { ownSpacesOfLms } from "./own-spaces-of-lms.ts";
import { recordingReadingsAreTasks } from "./recording-readings-are-tasks.ts";
import { registerSpaces } from "./register-spaces.ts";
import { rostersAreTasks } from "./rosters-are-tasks.ts";

/** In order, without a gap. */
export const migrations: readonly Migration[] = [
  listEarlyMembers,
  digestInvitations,
  registerSpaces,
  apiUsersByRole,
  ownSpacesOfLms,
  recordingReadingsAreTasks,
  attendanceReadingsAreTasks,
  rostersAreTasks,
];

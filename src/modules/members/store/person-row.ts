import type { ClassroomRole } from "../../../domain/api-user.ts";
import type { Person } from "../../../domain/course.ts";
import type { LeaseFields } from "../../../storage/lease.ts";

/** A user without a role is where earlier versions had their only user. */
export type ApiUserFields = LeaseFields & {
  apiUserId?: string | null;
  /** The role with the same user; it stays here for processes of the release before. */
  apiUserIs?: ClassroomRole | null;
  apiUserName?: string | null;
  hostUserId?: string | null;
  hostUserName?: string | null;
  hostLeaseHolder?: string | null;
  hostLeaseUntil?: number;
  participantUserId?: string | null;
  participantUserName?: string | null;
  participantLeaseHolder?: string | null;
  participantLeaseUntil?: number;
};

export type PersonRow = Omit<Person, "id" | "apiUsers"> &
  ApiUserFields & {
    _id: string;
    /** Since when they are in no course (ms). */
    loneSince?: number;
    /** The row stays for their API users. See `person-joins`. */
    mergedInto?: string;
    moving?: boolean;
    // Missing in records of earlier versions.
    nameKey?: string;
    familyKey?: string;
    emailKey?: string;
  };

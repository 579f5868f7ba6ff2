import type { ClassroomRole } from "../../../domain/api-user.ts";
import type { Person } from "../../../domain/course.ts";
import type { LeaseFields } from "../../../storage/lease.ts";

/** How a person's users in the classroom are stored. What has no role stands where the only user of earlier versions stood. */
export type ApiUserFields = LeaseFields & {
  apiUserId?: string | null;
  /** The role under which the same user is kept as well: it stays here for processes of the release before. */
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

/** A person as they are stored. */
export type PersonRow = Omit<Person, "id" | "apiUsers"> &
  ApiUserFields & {
    _id: string;
    /** Since when they were seen to be in no course (ms); left out while they are in one. */
    loneSince?: number;
    /** The person whom this one turned out to be; the row stays for their API users. See `person-joins`. */
    mergedInto?: string;
    /** Records about them are still being moved. */
    moving?: boolean;
  };

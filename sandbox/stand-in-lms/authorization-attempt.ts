// Imitates nothing.
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { BegunLaunch } from "./manners.ts";
import type { Session } from "./sessions.ts";

export type AuthorizationAttempt = {
  asked: AuthorizationRequest;
  /** Null when nobody is logged in. */
  session: Session | null;
  /** Null when the hint is unknown, used or too old. */
  launch: BegunLaunch | null;
};

/** `page` is shown by the LMS itself instead of being sent to the tool. */
export type AuthorizationProblem =
  { error: string; description?: string } | { page: string; status: 400 | 404 };

import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import { refusedBy } from "./reply-status.ts";
import { scopes as scope } from "./scopes.ts";
import type { ServiceCalls } from "./service-calls.ts";

export type NoticeHandlersTarget = {
  registration: Registration;
  url: string;
  scopes: readonly string[];
};

export type NoticeHandlers = {
  /** Sets the address for a type of notice. @throws NamedError "notices-not-granted", or the LMS's error. */
  set: (target: NoticeHandlersTarget, wish: { type: string; handler: string }) => Promise<void>;
};

/** The notice handlers service (Platform Notification Service 1.0). Canvas wants the tool's own domain. */
export function createNoticeHandlers(deps: { calls: ServiceCalls; clock: Clock }): NoticeHandlers {
  return {
    set: async ({ registration, url, scopes }, { type, handler }) => {
      if (!scopes.includes(scope.noticeHandlers)) {
        throw refusal("notices-not-granted", { status: 403, details: { needed: ["noticehandlers"] } });
      }
      const reply = await deps.calls.call(
        { registration, scopes: [scope.noticeHandlers] },
        {
          method: "PUT",
          url,
          headers: { accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ notice_type: type, handler }),
        },
      );
      if (reply.status < 200 || reply.status > 204) {
        throw refusedBy(reply, "a subscription to notices", deps.clock.now());
      }
    },
  };
}

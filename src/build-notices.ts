import type { Router } from "express";
import type { Counter } from "prom-client";
import type { SubscribeToNoticesDeps } from "./modules/courses/subscribe-to-notices.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Ids } from "./kernel/ids.ts";
import type { Logger } from "./kernel/logger.ts";
import type { KeySets } from "./lms/key-sets.ts";
import type { NoticeHandlers } from "./lms/notice-handlers.ts";
import { createNoticeVerifier } from "./lms/notice-verifier.ts";
import type { Stores } from "./open-stores.ts";
import { noticeRoutes } from "./modules/courses/pages/notice-routes.ts";

/** Notices of LMSs: what a launch needs to ask for them, and the routes where they arrive. */
export function buildNotices(
  deps: Stores & {
    publicUrl: string;
    keySets: KeySets;
    noticeHandlers: NoticeHandlers;
    /** Counts notices by `outcome`. */
    counter: Counter;
    clock: Clock;
    ids: Ids;
    logger: Logger;
  },
): {
  subscribing: Pick<SubscribeToNoticesDeps, "noticeHandlers" | "noticeSubscriptions" | "noticesUrl">;
  routes: Router;
} {
  const { publicUrl, noticeHandlers, noticeSubscriptions, counter } = deps;
  return {
    subscribing: { noticeHandlers, noticeSubscriptions, noticesUrl: `${publicUrl}/lti/notices` },
    routes: noticeRoutes({
      ...deps,
      noticeVerifier: createNoticeVerifier(deps),
      onNotice: (outcome) => {
        counter.inc({ outcome });
      },
    }),
  };
}

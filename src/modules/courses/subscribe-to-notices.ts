import type { App } from "../../app.ts";
import type { Launch } from "../../domain/launch.ts";
import { courseCopyNotice } from "./rules/notice.ts";
import type { Registration } from "../../domain/registration.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { NoticeHandlers } from "../../lms/notices.ts";

export type SubscribeToNoticesDeps = Pick<
  App,
  "noticeSubscriptions" | "publicUrl" | "clock" | "ids" | "logger"
> & {
  noticeHandlers: NoticeHandlers;
};

const leaseMs = 60_000;
const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * To notices of copied courses, when the LMS of a launch offers them: once for each deployment, again after a change of
 * our address. After a failure a later launch retries (a minute, doubling to a day). No launch waits for this.
 */
export async function subscribeToNotices(
  deps: SubscribeToNoticesDeps,
  registration: Registration,
  launch: Launch,
): Promise<void> {
  const { notices, deploymentId } = launch;
  if (notices?.types.includes(courseCopyNotice) !== true) return;
  const wish = {
    registrationId: registration.id,
    deploymentId,
    type: courseCopyNotice,
    handler: `${deps.publicUrl}/lti/notices`,
  };
  const now = deps.clock.now();
  const failures = await deps.noticeSubscriptions.claim(wish, deps.ids.id("sub"), now, now + leaseMs);
  if (failures === null) return;
  try {
    await deps.noticeHandlers.set({ registration, url: notices.url, scopes: notices.scopes }, wish);
    await deps.noticeSubscriptions.keep(wish);
  } catch (thrown) {
    const wait = Math.min(2 ** Math.min(failures, 12) * minute, day);
    await deps.noticeSubscriptions.postpone(wish, failures + 1, deps.clock.now() + wait);
    deps.logger.warn(
      {
        registration: registration.id,
        code: thrown instanceof NamedError ? thrown.code : null,
        error: messageOf(thrown),
      },
      "the LMS did not take our wish for notices; a later launch tries again",
    );
  }
}

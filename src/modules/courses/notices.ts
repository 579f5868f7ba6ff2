import type { App } from "../../app.ts";
import type { Launch } from "../../domain/launch.ts";
import type { Registration } from "../../domain/registration.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { dayMs, minuteMs } from "../../kernel/clock.ts";
import type { NoticeHandlers, NoticeVerifier } from "../../lms/notices.ts";
import { courseCopyNotice, type Notice } from "./rules/course.ts";

/** What receiving notices of LMSs needs. */
export type NoticesApp = Pick<App, "notices" | "courseCopies" | "clock" | "ids" | "logger"> & {
  noticeVerifier: NoticeVerifier;
};

/** "other": a type that is accepted without effect. */
export type NoticeOutcome = "copy" | "hello" | "other" | "duplicate";

/** An LMS may repeat a notice for this long (Blackboard does so for days). */
const rememberedMs = 30 * dayMs;

/**
 * Verifies a notice like a launch and lets it take effect once. Repetitions have the same id and another nonce. The same nonce with another id
 * is forged. The effect happens between two marks and may run twice, so a crash loses nothing.
 * @throws LaunchRefusal if it isn't from a registered LMS; NamedError "notice-replayed".
 */
export async function receiveNotice(app: NoticesApp, jwt: string): Promise<NoticeOutcome> {
  const notice = await app.noticeVerifier.verify(jwt);
  const { registrationId, id, nonce, meaning } = notice;
  const mark = { registrationId, noticeId: id, nonce };
  const begun = await app.notices.begin(mark, app.clock.now() + rememberedMs);
  if (begun === "nonce-used") throw refusal("notice-replayed", { status: 401 });
  if (begun === "done") return "duplicate";
  await takeEffect(app, notice);
  await app.notices.finish(mark);
  const outcome = meaning.kind === "course-copied" ? "copy" : meaning.kind;
  app.logger.info({ registration: registrationId, type: notice.type, outcome }, "notice received");
  return outcome;
}

async function takeEffect(app: NoticesApp, notice: Notice): Promise<void> {
  const { registrationId, deploymentId, meaning } = notice;
  if (meaning.kind !== "course-copied" || meaning.origins.length === 0) return;
  const { contextId, origins } = meaning;
  await app.courseCopies.addOrigins({ registrationId, deploymentId, contextId }, origins, app.ids.id("cpy"));
}

type SubscribingApp = Pick<App, "noticeSubscriptions" | "publicUrl" | "clock" | "ids" | "logger"> & {
  noticeHandlers: NoticeHandlers;
};

const leaseMs = 60_000;

/**
 * Subscribes to notices of copied courses if the LMS of a launch offers them: once per deployment, and again after our address has changed.
 * After a failure, a later launch retries (after a minute, doubling to a day). No launch waits for this.
 */
export async function subscribeToNotices(app: SubscribingApp, registration: Registration, launch: Launch) {
  const { notices, deploymentId } = launch;
  if (notices?.types.includes(courseCopyNotice) !== true) return;
  const subscription = {
    registrationId: registration.id,
    deploymentId,
    type: courseCopyNotice,
    handler: `${app.publicUrl}/lti/notices`,
  };
  const now = app.clock.now();
  const failures = await app.noticeSubscriptions.claim(subscription, app.ids.id("sub"), now, now + leaseMs);
  if (failures === null) return;
  try {
    await app.noticeHandlers.set({ registration, url: notices.url, scopes: notices.scopes }, subscription);
    await app.noticeSubscriptions.keep(subscription);
  } catch (thrown) {
    const wait = Math.min(2 ** Math.min(failures, 12) * minuteMs, dayMs);
    await app.noticeSubscriptions.postpone(subscription, failures + 1, app.clock.now() + wait);
    app.logger.warn(
      {
        registration: registration.id,
        code: thrown instanceof NamedError ? thrown.code : null,
        error: messageOf(thrown),
      },
      "subscribing to an LMS's notices failed; a later launch tries again",
    );
  }
}

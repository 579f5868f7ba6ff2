import type { App } from "../../app.ts";
import type { Notice } from "./rules/notice.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { NoticeVerifier } from "../../lms/notices.ts";

export type ReceiveNoticeDeps = Pick<App, "notices" | "courseCopies" | "clock" | "ids" | "logger"> & {
  noticeVerifier: NoticeVerifier;
};

/** "other": a type that is accepted without effect. */
export type NoticeOutcome = "copy" | "hello" | "other" | "duplicate";

/** An LMS may repeat a notice for this long (Blackboard does for days). */
const rememberedMs = 30 * 24 * 60 * 60_000;

/**
 * Verified like a launch, takes effect once. Repetitions have the same id and another nonce; the same nonce with
 * another id is forged. The effect stands between two marks and may run twice, so a crash loses nothing.
 * @throws LaunchRefusal when it is not from a registered LMS; NamedError "notice-replayed".
 */
export async function receiveNotice(deps: ReceiveNoticeDeps, jwt: string): Promise<NoticeOutcome> {
  const notice = await deps.noticeVerifier.verify(jwt);
  const { registrationId, id, nonce, meaning } = notice;
  const mark = { registrationId, noticeId: id, nonce };
  const begun = await deps.notices.begin(mark, deps.clock.now() + rememberedMs);
  if (begun === "nonce-used") {
    throw refusal("notice-replayed", { status: 401 });
  }
  if (begun === "done") return "duplicate";
  await takeEffect(deps, notice);
  await deps.notices.finish(mark);
  const outcome = meaning.kind === "course-copied" ? "copy" : meaning.kind;
  deps.logger.info({ registration: registrationId, type: notice.type, outcome }, "notice received");
  return outcome;
}

async function takeEffect(deps: ReceiveNoticeDeps, notice: Notice): Promise<void> {
  const { registrationId, deploymentId, meaning } = notice;
  if (meaning.kind !== "course-copied" || meaning.origins.length === 0) return;
  const { contextId, origins } = meaning;
  await deps.courseCopies.addOrigins(
    { registrationId, deploymentId, contextId },
    origins,
    deps.ids.id("cpy"),
  );
}

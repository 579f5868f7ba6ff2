import type { Config } from "./config.ts";
import { askPausedLmss, type AskPausedLmssDeps, lmsIsBack } from "./modules/registration/lms-is-back.ts";
import { createWorker, type Worker } from "./tasks/create-worker.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Ids } from "./kernel/ids.ts";
import type { Logger } from "./kernel/logger.ts";
import { createSealer } from "./kernel/sealer.ts";
import { createAccessTokens } from "./lms/access-tokens.ts";
import { createConnectionProbes } from "./lms/connection-probes.ts";
import { createDeepLinkingAnswers } from "./lms/deep-linking-response.ts";
import { invitationDigest } from "./modules/registration/create-invitation.ts";
import { registerByInvitation } from "./lms/dynamic-registration.ts";
import { createGroups } from "./lms/groups.ts";
import { createLineItems } from "./lms/line-items.ts";
import { createLmsPauses } from "./lms/lms-pauses.ts";
import { type ManualRegistration, registerByHand } from "./lms/manual-registration.ts";
import { createNoticeHandlers } from "./lms/notice-handlers.ts";
import { createOutsideFetch } from "./lms/outside-fetch.ts";
import { createRequester } from "./lms/requester.ts";
import { createRoster } from "./lms/roster.ts";
import { createScores } from "./lms/scores.ts";
import { createServiceCalls } from "./lms/service-calls.ts";
import { describeTool } from "./lms/tool-description.ts";
import { createToolKeys } from "./lms/tool-keys.ts";
import type { Stores } from "./open-stores.ts";

export type Lms = ReturnType<typeof buildLms>;

/** Everything we ask of an LMS: registration, keys, gradebook. */
export function buildLms(deps: {
  config: Config;
  stores: Stores;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Wakes those who wait for an LMS, where they are in this process. */
  onLmsBack?: () => void;
  /** Sees every request, for the metrics. */
  watch?: (fetchFrom: typeof fetch) => typeof fetch;
}) {
  const { config, stores, clock, ids } = deps;
  const sealer = createSealer(config.secretKey, config.secretKeyPrevious);
  const outside = createOutsideFetch(config.allowPrivatePlatforms);
  const fetch = deps.watch?.(outside) ?? outside;
  const request = createRequester(fetch);
  const toolKeys = createToolKeys({ toolKeys: stores.toolKeys, sealer, clock, ids });
  const pauses = createLmsPauses({
    ...{ lmsPauses: stores.lmsPauses, clock, logger: deps.logger },
    onLmsBack: async (registrationId) => {
      await lmsIsBack({ ...stores, clock }, registrationId);
      deps.onLmsBack?.();
    },
  });
  const accessTokens = createAccessTokens({
    request,
    pauses,
    accessTokens: stores.accessTokens,
    toolKeys,
    sealer,
    clock,
    ids,
  });
  const calls = createServiceCalls({ request, accessTokens, pauses, clock });
  const tool = describeTool(config.publicUrl);
  const registration = {
    registrations: stores.registrations,
    deployments: stores.deployments,
    invitations: stores.invitations,
    toolKeys,
    fetch,
    clock,
    ids,
    tool,
    allowPrivate: config.allowPrivatePlatforms,
  };
  return {
    fetch,
    toolKeys,
    tool,
    pauses,
    probes: createConnectionProbes({ request, calls, toolKeys, sealer, clock, ids }),
    lineItems: createLineItems({ calls, clock }),
    scores: createScores({ calls, clock }),
    roster: createRoster({ calls }),
    groups: createGroups({ calls }),
    noticeHandlers: createNoticeHandlers({ calls, clock }),
    signDeepLinkingAnswer: createDeepLinkingAnswers({ toolKeys, clock, ids, publicUrl: config.publicUrl }),
    registerByInvitation: (
      secret: string,
      request: { openidConfigurationUrl: string; registrationToken: string | null },
    ) => registerByInvitation(registration, invitationDigest(secret), request),
    registerByHand: (given: ManualRegistration) => registerByHand(registration, given),
  };
}

/** The worker that sees to it that LMSs which were left alone are asked again. */
export function buildPausedLmss(deps: AskPausedLmssDeps & { logger: Logger }): Worker {
  return createWorker(deps, {
    name: "paused-lmss",
    lanes: 1,
    idleMs: 10_000,
    step: async () => {
      await askPausedLmss(deps);
      return false;
    },
  });
}

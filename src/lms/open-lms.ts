import { userAgentOf } from "../kernel/build.ts";
import { createSealer } from "../kernel/sealer.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Metrics } from "../kernel/metrics.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { canvasConfiguration } from "./products/canvas.ts";
import { createConnectionProbes } from "./connection-probes.ts";
import { createDeepLinkingAnswers } from "./deep-linking-response.ts";
import { registerByInvitation } from "./dynamic-registration.ts";
import { createGroups, createRoster } from "./roster.ts";
import { createKeySets } from "./key-sets.ts";
import { addressProblem, countedFetch, createOutsideFetch } from "./outside-fetch.ts";
import { createLaunchVerifier } from "./launch-verifier.ts";
import { createLineItems } from "./line-items.ts";
import { createLmsPauses } from "./lms-pauses.ts";
import { createLtiProvider, type LtiProviderDeps } from "./lti-provider.ts";
import { type ManualRegistration, manualValues, registerByHand } from "./manual-registration.ts";
import { createNoticeHandlers, createNoticeVerifier } from "./notices.ts";
import { createRequester } from "./requester.ts";
import { createScores } from "./scores.ts";
import { createToolKeys, sealingState } from "./tool-keys.ts";
import { createServiceCalls } from "./service-calls.ts";
import { createToolDescriptions } from "./tool-description.ts";
import { describeTool, type OperatorPolicies } from "./registration-request.ts";
import type {
  AccessTokenPort,
  DeploymentPort,
  InvitationPort,
  LmsPausePort,
  NoncePort,
  RegistrationPort,
  ToolKeyPort,
} from "./ports.ts";

export type Lms = ReturnType<typeof openLms>;

export type LmsStores = {
  accessTokens: AccessTokenPort;
  deployments: DeploymentPort;
  invitations: InvitationPort;
  lmsPauses: LmsPausePort;
  nonces: NoncePort;
  registrations: RegistrationPort;
  toolKeys: ToolKeyPort;
};

export type LmsConfig = {
  publicUrl: string;
  secretKey: string;
  secretKeyPrevious: string | undefined;
  allowPrivatePlatforms: boolean;
} & OperatorPolicies;

/**
 * Opens `lms`: registration, keys, launches, gradebooks, rosters.
 * @param deps.onLmsBack Called when a paused LMS can be asked again.
 */
export function openLms(deps: {
  config: LmsConfig;
  stores: LmsStores;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  onLmsBack: (registrationId: string) => Promise<void>;
  metrics?: Metrics;
}) {
  const { config, stores, clock, ids, logger } = deps;
  const { publicUrl } = config;
  const sealer = createSealer(config.secretKey, config.secretKeyPrevious);
  const fetch = countedFetch(
    createOutsideFetch(config.allowPrivatePlatforms, undefined, userAgentOf(publicUrl)),
    deps,
  );
  const request = createRequester(fetch);
  const toolKeys = createToolKeys({ toolKeys: stores.toolKeys, sealer, clock, ids });
  const { lmsPauses, accessTokens, deployments } = stores;
  const pauses = createLmsPauses({ lmsPauses, clock, logger, onLmsBack: deps.onLmsBack });
  const tokens = createAccessTokens({
    request,
    pauses,
    accessTokens,
    deployments,
    toolKeys,
    sealer,
    clock,
    ids,
  });
  const calls = createServiceCalls({ request, accessTokens: tokens, pauses, clock });
  const keySets = createKeySets({ fetch, clock });
  const tool = describeTool(publicUrl, config);
  const allowPrivate = config.allowPrivatePlatforms;
  const registration = { ...stores, toolKeys, fetch, clock, ids, tool, allowPrivate };
  return {
    pauses,
    probes: createConnectionProbes({ request, calls, deployments, toolKeys, sealer, clock, ids }),
    toolDescriptions: createToolDescriptions({ request, deployments, toolKeys, sealer, clock, ids, tool }),
    lineItems: createLineItems({ calls, clock }),
    scores: createScores({ calls, clock }),
    roster: createRoster({ calls }),
    groups: createGroups({ calls }),
    noticeHandlers: createNoticeHandlers({ calls, clock }),
    noticeVerifier: createNoticeVerifier({ ...stores, keySets, clock }),
    signDeepLinkingAnswer: createDeepLinkingAnswers({ toolKeys, clock, ids, publicUrl }),
    /** Makes, rotates and deletes signing keys. The store with the same name keeps them. */
    signingKeys: toolKeys,
    /** @param digest The digest of the secret in the invitation's address. */
    registerByInvitation: (
      digest: string,
      request: { openidConfigurationUrl: string; registrationToken: string | null },
    ) => registerByInvitation(registration, digest, request),
    registerByHand: (given: ManualRegistration) => registerByHand(registration, given),
    manualValues: manualValues(tool),
    canvasConfiguration: (notices: boolean) => canvasConfiguration(tool, { notices }),
    addressProblem: (address: string) => addressProblem(address, allowPrivate),
    sealingState: () =>
      sealingState({
        toolKeys: stores.toolKeys,
        current: createSealer(config.secretKey),
        either: sealer,
        previousIsSet: config.secretKeyPrevious !== undefined,
      }),
    serveLaunches: (handlers: LaunchHandlers) =>
      createLtiProvider({
        ...stores,
        ...config,
        clock,
        ids,
        logger,
        toolKeys,
        verifier: createLaunchVerifier({ keySets, clock }),
        ...handlers,
      }),
  };
}

export type LaunchHandlers = Pick<
  LtiProviderDeps,
  "beginReads" | "onKeep" | "onResume" | "onLaunch" | "onRefused" | "onError"
>;

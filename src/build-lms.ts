import type { Config } from "./config.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Ids } from "./kernel/ids.ts";
import { createSealer } from "./kernel/sealer.ts";
import { createAccessTokens } from "./lms/access-tokens.ts";
import { registerByInvitation } from "./lms/dynamic-registration.ts";
import { createLineItems } from "./lms/line-items.ts";
import { type ManualRegistration, registerByHand } from "./lms/manual-registration.ts";
import { createOutsideFetch } from "./lms/outside-fetch.ts";
import { createRequester } from "./lms/requester.ts";
import { createScores } from "./lms/scores.ts";
import { createServiceCalls } from "./lms/service-calls.ts";
import { createToolKeys } from "./lms/tool-keys.ts";
import type { Stores } from "./storage/open-stores.ts";

export type Lms = ReturnType<typeof buildLms>;

/** Everything we ask of an LMS: registration, keys, gradebook. */
export function buildLms(deps: { config: Config; stores: Stores; clock: Clock; ids: Ids }) {
  const { config, stores, clock, ids } = deps;
  const sealer = createSealer(config.secretKey, config.secretKeyPrevious);
  const fetch = createOutsideFetch(config.allowPrivatePlatforms);
  const request = createRequester(fetch);
  const toolKeys = createToolKeys({ toolKeys: stores.toolKeys, sealer, clock, ids });
  const accessTokens = createAccessTokens({
    request,
    accessTokens: stores.accessTokens,
    toolKeys,
    sealer,
    clock,
    ids,
  });
  const calls = createServiceCalls({ request, accessTokens, clock });
  const registration = {
    registrations: stores.registrations,
    deployments: stores.deployments,
    invitations: stores.invitations,
    toolKeys,
    fetch,
    clock,
    ids,
    tool: {
      publicUrl: config.publicUrl,
      name: "Online classroom",
      description: "A persistent online classroom for your course, with attendance that becomes grades.",
    },
    allowPrivate: config.allowPrivatePlatforms,
  };
  return {
    fetch,
    toolKeys,
    lineItems: createLineItems({ calls, clock }),
    scores: createScores({ calls, clock }),
    registerByInvitation: (
      invitation: string,
      request: { openidConfigurationUrl: string; registrationToken: string | null },
    ) => registerByInvitation(registration, invitation, request),
    registerByHand: (given: ManualRegistration) => registerByHand(registration, given),
  };
}

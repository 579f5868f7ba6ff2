import { SignJWT } from "jose";
import type { ContentItem } from "../modules/links/rules/link-offer.ts";
import { type Registration, lmsDeployment } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import { claim } from "./claims.ts";
import { productOf } from "./products/products.ts";
import type { ToolKeys } from "./tool-keys.ts";
import { answerLifetimeSeconds, backdatedSeconds, maxAnswerLabelLength } from "./limits.ts";
import { cutTo } from "../kernel/text.ts";

type DeepLinkingAnswer = {
  deploymentId: string;
  /** As the request sent it, byte for byte; null if it sent none. */
  data: string | null;
  /** `accept_presentation_document_targets` of the request. */
  acceptTargets: readonly string[];
  items: readonly ContentItem[];
  /** What the LMS shows as an error; null if the dialog worked. */
  error: string | null;
};

/** @returns the form field `JWT` for the LMS's return address. */
export type SignDeepLinkingAnswer = ReturnType<typeof createDeepLinkingAnswers>;

/** Signs an LtiDeepLinkingResponse (Deep Linking 2.0, section 4). It has no `azp`: specifications differ, and no LMS asks for it. */
export function createDeepLinkingAnswers(deps: {
  toolKeys: ToolKeys;
  clock: Clock;
  ids: Ids;
  publicUrl: string;
}) {
  return async (registration: Registration, answer: DeepLinkingAnswer): Promise<string> => {
    const { kid, privateKey } = await deps.toolKeys.signingKey(registration.id);
    const now = Math.floor(deps.clock.now() / 1000);
    const { contentItem } = productOf(registration).links;
    return new SignJWT({
      nonce: deps.ids.secret(16),
      [claim.messageType]: "LtiDeepLinkingResponse",
      [claim.version]: "1.3.0",
      [claim.deploymentId]: lmsDeployment(registration, answer.deploymentId),
      [claim.contentItems]: answer.items.map((item) =>
        contentItem(linkOf(deps.publicUrl, item), {
          targets: answer.acceptTargets,
          endsAt: item.column?.endsAt ?? null,
        }),
      ),
      ...(answer.data === null ? {} : { [claim.deepLinkingData]: answer.data }),
      ...(answer.error === null ? {} : { [claim.deepLinkingError]: answer.error }),
    })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid })
      .setIssuer(registration.clientId)
      .setAudience(registration.issuer)
      .setIssuedAt(now - backdatedSeconds)
      .setExpirationTime(now + answerLifetimeSeconds)
      .sign(privateKey);
  };
}

function linkOf(publicUrl: string, item: ContentItem): Record<string, unknown> {
  const url = `${publicUrl}/lti/launch`;
  return {
    type: "ltiResourceLink",
    title: item.title,
    ...(item.text === null ? {} : { text: item.text }),
    url,
    icon: { url: `${publicUrl}/assets/icon.svg`, width: 64, height: 64 },
    custom: { ...item.custom },
    ...(item.column === null
      ? {}
      : {
          lineItem: {
            label: cutTo(item.title, maxAnswerLabelLength),
            scoreMaximum: item.column.points,
            resourceId: item.column.resourceId,
            tag: item.column.tag,
            // Lets teachers open one learner's attendance from the gradebook (Submission Review 1.0).
            submissionReview: { reviewableStatus: ["InProgress", "Submitted", "Completed"], url },
          },
        }),
  };
}

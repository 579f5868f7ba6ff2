import { decodeJwt, type JWTPayload } from "jose";
import type { Registration } from "../domain/registration.ts";
import { LaunchRefusal } from "./launch-refusal.ts";
import type { RegistrationPort } from "./ports.ts";

/**
 * The registration that a token without a login of ours claims, not believed before the signature. Of several audiences `azp` says which.
 * @throws LaunchRefusal "platform-unknown", "platform-inactive", "token-audience", "token-malformed"
 */
export async function claimedRegistration(
  deps: { registrations: Pick<RegistrationPort, "findByClient"> },
  jwt: string,
): Promise<Registration> {
  const { iss, audiences } = addressOf(jwt);
  const known: Registration[] = [];
  for (const audience of audiences) {
    const found = await deps.registrations.findByClient(iss, audience);
    if (found !== null) known.push(found);
  }
  const [registration] = known;
  if (registration === undefined) throw new LaunchRefusal("platform-unknown");
  if (known.length > 1) throw new LaunchRefusal("token-audience", { registrations: known.length });
  if (!registration.active) throw new LaunchRefusal("platform-inactive", { registration: registration.id });
  return registration;
}

function addressOf(jwt: string): { iss: string; audiences: readonly string[] } {
  let payload: JWTPayload;
  try {
    payload = decodeJwt(jwt);
  } catch (thrown) {
    throw new LaunchRefusal("token-malformed", {}, thrown);
  }
  const { aud, azp } = payload;
  const iss: unknown = payload.iss;
  const listed: unknown[] = Array.isArray(aud) ? aud : [aud];
  const audiences = listed.filter((one) => typeof one === "string");
  if (typeof iss !== "string" || audiences.length === 0 || audiences.length > 10) {
    throw new LaunchRefusal("token-malformed");
  }
  const meant = typeof azp === "string" && audiences.includes(azp) ? [azp] : audiences;
  return { iss, audiences: [...new Set(meant)] };
}

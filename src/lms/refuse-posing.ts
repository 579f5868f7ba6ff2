import type { Registration } from "../domain/registration.ts";
import { refusal } from "../kernel/refusal.ts";
import type { RegistrationPort } from "./ports.ts";

type Parts = Pick<Registration, "issuer" | "clientId" | "tokenUrl" | "tokenAudience">;

/**
 * Refuses an LMS that registers under another one's client id and token server. All our keys stand in one set, so what
 * we sign for one would count at the other: an assertion collected at an address of its own, or a token that follows
 * its launches to its own services.
 * @throws NamedError "registration-poses"
 */
export async function refusePosing(
  { registrations }: { registrations: Pick<RegistrationPort, "listByClient"> },
  candidate: Parts,
): Promise<void> {
  const others = (await registrations.listByClient(candidate.clientId)).filter(
    ({ issuer }) => issuer !== candidate.issuer,
  );
  if (!others.some((other) => meet(candidate, other) || meet(other, candidate))) return;
  throw refusal("registration-poses", {
    status: 409,
    details: { issuer: candidate.issuer, clientId: candidate.clientId },
  });
}

/** Whether assertions for one may be taken at the other; LMSs are tolerant about paths, so the host decides. */
function meet(one: Parts, other: Parts): boolean {
  const there = new Set([other.issuer, ...audiencesOf(other)].map(hostOf));
  return audiencesOf(one).some((address) => there.has(hostOf(address)));
}

function audiencesOf({ tokenUrl, tokenAudience }: Parts): string[] {
  return tokenAudience === null ? [tokenUrl] : [tokenUrl, tokenAudience];
}

/** Some LMSs name a bare host, or something that is no address at all. */
function hostOf(address: string): string {
  const host = URL.parse(address)?.host ?? "";
  return host === "" ? address.toLowerCase() : host;
}

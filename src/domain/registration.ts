import type { PlatformFamily } from "./lms-product.ts";

/** Which of the classroom's two environments a registration uses. */
export type EnvironmentName = "production" | "staging";

/** An LMS that knows this tool: one (issuer, client id). */
export type Registration = {
  /** Our own id; every record of this LMS carries it first in its keys. */
  id: string;
  /** `iss`, exactly as the LMS writes it. */
  issuer: string;
  clientId: string;
  /** A name people recognise in lists. */
  name: string;
  family: PlatformFamily;
  /** "operator" when one said which product this LMS is: that is kept, whatever the LMS says. Left out: nobody did. */
  familyFrom?: "operator";
  /** What the LMS calls its own product, as it said last (`product_family_code`); left out until it has. */
  product?: string;
  authorizationUrl: string;
  tokenUrl: string;
  jwksUrl: string;
  /** `aud` of the client assertion when it is not the token URL (`authorization_server` of the LMS). */
  tokenAudience: string | null;
  /** Audiences that this LMS's tokens may name beside us; none when left out. */
  trustedAudiences?: readonly string[];
  environment: EnvironmentName;
  active: boolean;
  /** Whether a deployment id we have not seen is accepted (and listed) or refused. */
  newDeployments: "accept" | "refuse";
  /**
   * Whether people whom this LMS calls its administrators see this registration's part of the console; no when left out.
   * Only where one registration is one institution: they see all its deployments.
   */
  administratorsEnter?: boolean;
  /**
   * Deployments that the LMS names otherwise than we do: it registered the tool anew, and what was known stays where it
   * is. Left out where it did not.
   */
  renamedDeployments?: readonly RenamedDeployment[];
  createdAt: number;
};

/** A deployment as the LMS tells it now, and the one under which everything of it is kept. */
export type RenamedDeployment = { told: string; kept: string };

/** Under which name a deployment is kept that an LMS tells. */
export function keptDeployment({ renamedDeployments = [] }: Registration, told: string): string {
  return renamedDeployments.find((one) => one.told === told)?.kept ?? told;
}

/** What the LMS calls a deployment. */
export function toldDeployment({ renamedDeployments = [] }: Registration, kept: string): string {
  return renamedDeployments.find((one) => one.kept === kept)?.told ?? kept;
}

/** A place inside an LMS where the tool was installed; unique with its registration. */
export type Deployment = {
  registrationId: string;
  deploymentId: string;
  status: "accepted" | "refused";
  firstSeenAt: number;
};

/** A one-time permission to register one LMS by dynamic registration. */
export type Invitation = {
  /** Digest of the secret in its address. */
  id: string;
  environment: EnvironmentName;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  usedAt: number | null;
};

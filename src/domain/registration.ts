/** Which of the classroom's two environments a registration uses. */
export type EnvironmentName = "production" | "staging";

/** The LMS products whose manners we know; "other" gets the plain standard. */
export type PlatformFamily = "moodle" | "canvas" | "other";

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
  authorizationUrl: string;
  tokenUrl: string;
  jwksUrl: string;
  /** `aud` of the client assertion when it is not the token URL (`authorization_server` of the LMS). */
  tokenAudience: string | null;
  environment: EnvironmentName;
  active: boolean;
  /** Whether a deployment id we have not seen is accepted (and listed) or refused. */
  newDeployments: "accept" | "refuse";
  /**
   * Whether people whom this LMS calls its administrators see this registration's part of the console; no when left out.
   * Only where one registration is one institution: they see all its deployments.
   */
  administratorsEnter?: boolean;
  createdAt: number;
};

/** A place inside an LMS where the tool was installed; unique with its registration. */
export type Deployment = {
  registrationId: string;
  deploymentId: string;
  status: "accepted" | "refused";
  firstSeenAt: number;
};

/** A one-time permission to register one LMS by dynamic registration. */
export type Invitation = {
  id: string;
  environment: EnvironmentName;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  usedAt: number | null;
};

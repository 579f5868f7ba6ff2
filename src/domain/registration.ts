import type { PlatformFamily } from "./lms-product.ts";
import { describeRecord, unique, type ItemOf } from "./record.ts";
import { text, textOf, number, texts, flag, json } from "./record-fields.ts";

/** Which of the classroom's two environments a registration uses. */
export type EnvironmentName = "production" | "staging";

/** An LMS that knows this tool: one (issuer, client id). */
export const registrationRecord = describeRecord("Registration", {
  fields: {
    /** `iss`, exactly as the LMS writes it. */
    issuer: text,
    clientId: text,
    /** A name people recognise in lists. */
    name: text,
    family: textOf<PlatformFamily>(),
    /** "operator" when one said which product this LMS is: that is kept, whatever the LMS says. Left out: nobody did. */
    familyFrom: textOf<"operator">().optional,
    /** What the LMS calls its own product, as it said last (`product_family_code`); left out until it has. */
    product: text.optional,
    authorizationUrl: text,
    tokenUrl: text,
    jwksUrl: text,
    /** `aud` of the client assertion when it is not the token URL (`authorization_server` of the LMS). */
    tokenAudience: text.orNull,
    /** Audiences that this LMS's tokens may name beside us; none when left out. */
    trustedAudiences: texts.optional,
    environment: textOf<EnvironmentName>(),
    active: flag,
    /** Whether a deployment id we have not seen is accepted (and listed) or refused. */
    newDeployments: textOf<"accept" | "refuse">(),
    /**
     * Whether people whom this LMS calls its administrators see this registration's part of the console; no when left out.
     * Only where one registration is one institution: they see all its deployments.
     */
    administratorsEnter: flag.optional,
    createdAt: number,
  },
  hidden: {
    /** The registration whose records this one goes on with: its LMS registered the tool anew. */
    sameAs: json<SameAs | null>().optional,
    /** The registration through which the LMS is reached since then. */
    reachedBy: textOf<string | null>().optional,
    /** The registration it is about to go on with; it is off meanwhile. */
    becoming: json<SameAs | null>().optional,
  },
  indexes: [unique("issuer", "clientId")],
  held: {
    key: "registrations",
    holds: "names and addresses of an LMS; no person",
    kept: "until it is uninstalled, as the last of its records",
  },
});
export type Registration = ItemOf<typeof registrationRecord> & {
  /**
   * Deployments that the LMS names otherwise than we do: it registered the tool anew, and what was known stays where it
   * is. Left out where it did not.
   */
  renamedDeployments?: readonly RenamedDeployment[];
};

/** Which registration is meant, and how its deployments are called now. */
export type SameAs = { registrationId: string; deployments: RenamedDeployment[] };

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
export const deploymentRecord = describeRecord("Deployment", {
  id: null,
  fields: {
    registrationId: text,
    deploymentId: text,
    status: textOf<"accepted" | "refused">(),
    firstSeenAt: number,
  },
  hidden: { decidedAt: number.orNull.optional },
  indexes: [unique("registrationId", "deploymentId")],
  held: {
    key: "deployments",
    holds: "where in an LMS the tool was installed; no person",
    kept: "with the LMS",
  },
});
export type Deployment = ItemOf<typeof deploymentRecord>;

/** A one-time permission to register one LMS by dynamic registration. */
export const invitationRecord = describeRecord("Invitation", {
  fields: {
    environment: textOf<EnvironmentName>(),
    /** Milliseconds since the epoch. */
    expiresAt: number,
    usedAt: number.orNull,
  },
  held: { key: "invitations", holds: "one-time permissions to register an LMS; no person", kept: "always" },
});
export type Invitation = ItemOf<typeof invitationRecord>;

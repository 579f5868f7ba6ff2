import type { Registration } from "../../domain/registration.ts";

/** A cloud whose issuer is not the host that its configuration is read from. */
type Cloud = {
  issuer: string;
  /** Origins that may speak for the issuer. */
  configurationHosts: readonly string[];
  /** All institutions come with one client id: which one it is tells the deployment alone. */
  sharedClientId: boolean;
};

const canvasClouds: readonly Cloud[] = ["", "beta.", "test."].map((stage) => {
  const school = `https://canvas.${stage}instructure.com`;
  // A client id is a developer key, which belongs to one school.
  return {
    issuer: school,
    configurationHosts: [`https://sso.${stage}canvaslms.com`, school],
    sharedClientId: false,
  };
});

/**
 * Blackboard's developer portal answers for every Blackboard Learn with this issuer; its configuration and registration
 * endpoint lie on developer.blackboard.com (Anthology's article 000090618 shows the whole configuration), the portal's
 * newer name is developer.anthology.com. A tool registers there once and gives its client id to all institutions, each
 * of which has a deployment id of its own (docs.anthology.com, "Registering a new LTI application").
 */
const blackboard: Cloud = {
  issuer: "https://blackboard.com",
  configurationHosts: ["https://developer.blackboard.com", "https://developer.anthology.com"],
  sharedClientId: true,
};

const clouds: readonly Cloud[] = [...canvasClouds, blackboard];

/** Origins besides its own whose configuration may speak for an issuer. */
export function configurationHostsOf(issuer: string): readonly string[] {
  return cloudOf(issuer)?.configurationHosts ?? [];
}

/**
 * What becomes of launches from deployments nobody has seen when nobody has said. Where one client id serves every
 * institution, a stranger's launch is as well signed as anybody's: there each is accepted by hand.
 */
export function usualNewDeployments(issuer: string): Registration["newDeployments"] {
  return cloudOf(issuer)?.sharedClientId === true ? "refuse" : "accept";
}

function cloudOf(issuer: string): Cloud | null {
  return clouds.find((cloud) => cloud.issuer === issuer.replace(/\/+$/, "")) ?? null;
}

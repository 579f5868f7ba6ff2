import type { App } from "../../app.ts";
import type { Registration } from "../../domain/registration.ts";
import type { ListedDeployment } from "../registration/store/deployment-store.ts";

export type ListRegistrationsDeps = Pick<
  App,
  "registrations" | "deployments" | "courses" | "members" | "environments"
>;

/** A registration with what has come of it. */
export type RegistrationSummary = {
  registration: Registration;
  deployments: readonly ListedDeployment[];
  /** Deployments that were refused because they were new, and that nobody has looked at. */
  undecided: number;
  courses: number;
  /** When anybody last came from this LMS (ms); null when nobody has. */
  lastLaunchAt: number | null;
  /** Whether its environment of the classroom is not configured, so that no launch can succeed. */
  environmentOff: boolean;
};

/** All registrations, oldest first. */
export async function listRegistrations(deps: ListRegistrationsDeps): Promise<RegistrationSummary[]> {
  const registrations = await deps.registrations.list();
  return Promise.all(registrations.map((registration) => summaryOf(deps, registration)));
}

/** What has come of one registration. */
export async function summaryOf(
  deps: ListRegistrationsDeps,
  registration: Registration,
): Promise<RegistrationSummary> {
  const [deployments, courses, lastLaunchAt] = await Promise.all([
    deps.deployments.listOf(registration.id),
    deps.courses.countOf(registration.id),
    deps.members.lastLaunchOf(registration.id),
  ]);
  return {
    registration,
    deployments,
    undecided: deployments.filter(isUndecided).length,
    courses,
    lastLaunchAt,
    environmentOff: !deps.environments.includes(registration.environment),
  };
}

function isUndecided({ status, decidedAt }: ListedDeployment): boolean {
  return status === "refused" && decidedAt === null;
}

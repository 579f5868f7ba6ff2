import type { App } from "../../app.ts";
import type { Registration } from "../../domain/registration.ts";
import type { ListedDeployment } from "../registration/store/registration-store.ts";

export type ListRegistrationsDeps = Pick<
  App,
  "registrations" | "deployments" | "courses" | "members" | "accounts"
>;

export type RegistrationSummary = {
  registration: Registration;
  deployments: readonly ListedDeployment[];
  /** Deployments refused because they were new, without an operator's decision. */
  undecided: number;
  courses: number;
  lastLaunchAt: number | null;
  /** Its environment of the classroom is not configured, so every launch fails. */
  environmentOff: boolean;
};

/** Oldest first. */
export async function listRegistrations(deps: ListRegistrationsDeps): Promise<RegistrationSummary[]> {
  const registrations = await deps.registrations.list();
  return Promise.all(registrations.map((registration) => summaryOf(deps, registration)));
}

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
    environmentOff: !deps.accounts.ids().includes(registration.environment),
  };
}

function isUndecided({ status, decidedAt }: ListedDeployment): boolean {
  return status === "refused" && decidedAt === null;
}

import type { App } from "../../app.ts";
import { type ToolKeyState, toolKeyStates } from "../registration/rules/registration.ts";
import type { KeyState } from "../../lms/tool-keys.ts";
import { knownRegistration, listKeys, type RotateKeyDeps } from "../registration/registrations.ts";
import { type ListRegistrationsDeps, type RegistrationSummary, summaryOf } from "./list-registrations.ts";

export type ShowRegistrationDeps = ListRegistrationsDeps & RotateKeyDeps & Pick<App, "courses" | "clock">;

export type KeyRow = KeyState & { state: Exclude<ToolKeyState, "over"> };

export type RegistrationDetails = RegistrationSummary & {
  keys: readonly KeyRow[];
  /** The last launch by deployment id (ms); null for none. */
  launchedAt: ReadonlyMap<string, number | null>;
  /** Whether a key waits for its turn; another rotation would only lead to that one. */
  rotating: boolean;
};

/** @throws NamedError "no-such-registration" */
export async function showRegistration(deps: ShowRegistrationDeps, id: string): Promise<RegistrationDetails> {
  const registration = await knownRegistration(deps.registrations, id);
  const [summary, known] = await Promise.all([summaryOf(deps, registration), listKeys(deps, id)]);
  const states = toolKeyStates(known, deps.clock.now());
  const keys = known.flatMap((key, index) => {
    const state = states[index] ?? "over";
    return state === "over" ? [] : [{ ...key, state }];
  });
  const launchedAt = new Map(
    await Promise.all(
      summary.deployments.map(
        async ({ deploymentId }) =>
          [deploymentId, await deps.courses.lastLaunchOfDeployment(id, deploymentId)] as const,
      ),
    ),
  );
  return { ...summary, launchedAt, keys, rotating: keys.some(({ state }) => state === "published") };
}

import type { App } from "../../app.ts";
import type { InstitutionRegrade } from "../courses/store/institution-defaults-store.ts";
import { enqueueRegrade, type EnqueueRegradeDeps } from "./enqueue-regrade.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";

export type RegradeInstitutionDeps = Omit<EnqueueRegradeDeps, "courses"> &
  Pick<App, "institutionDefaults" | "courses" | "clock" | "ids">;

/** Courses between two notes of progress. */
const batchSize = 50;

/**
 * After a change by its institution, by course id. After a crash another process continues within seconds; a further
 * change starts anew. @returns false when there is nothing to do.
 */
export async function regradeInstitution(deps: RegradeInstitutionDeps): Promise<boolean> {
  const { institutionDefaults, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const claimed = await institutionDefaults.claimRegrade(holder, now, now + leaseMs);
  if (claimed === null) return false;
  const { registrationId } = claimed;
  try {
    await withClaim(
      deps,
      {
        until: now + leaseMs,
        extend: (until) => institutionDefaults.extendRegrade(registrationId, holder, until),
      },
      () => passedOn(deps, claimed, holder),
    );
  } finally {
    await institutionDefaults.releaseRegrade(registrationId, holder);
  }
  return true;
}

async function passedOn(deps: RegradeInstitutionDeps, claimed: InstitutionRegrade, holder: string) {
  let last = claimed.regradedUpTo;
  for (;;) {
    const ids = await deps.courses.idsAfter(claimed.registrationId, last, batchSize);
    for (const id of ids) await enqueueRegrade(deps, id);
    last = ids.at(-1) ?? last;
    const upTo = ids.length < batchSize ? null : last;
    if (!(await deps.institutionDefaults.regraded(claimed, holder, upTo)) || upTo === null) return;
  }
}

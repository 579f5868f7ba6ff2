import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import {
  beginningOf,
  firstValues,
  type InstitutionDefaults,
  type InstitutionValues,
  lockedNames,
} from "../../settings/in-effect.ts";
import { policyNames } from "../../settings/policy-options.ts";
import type { Registration } from "../../domain/registration.ts";
import { ruleFrom, type UnplannedRule } from "../../domain/course.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refusal } from "../../kernel/refusal.ts";
import { rememberIn } from "../../kernel/lists.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { knownRegistration } from "../registration/registrations.ts";
import { type Brand, brandOf, type Branding, type BrandingChange } from "./rules/branding.ts";
import type { BrandingStore } from "./store/institution-stores.ts";

type InstitutionApp = Pick<App, "institutionDefaults" | "registrations" | "courses">;

/** The defaults and locks for the courses of an LMS. @throws NamedError "no-such-registration" */
export async function showInstitutionDefaults(
  app: InstitutionApp,
  registrationId: string,
): Promise<{ registration: Registration; defaults: InstitutionDefaults; courses: number }> {
  const registration = await app.registrations.find(registrationId);
  if (registration === null)
    throw refusal("no-such-registration", { values: { id: registrationId }, status: 404 });
  const defaults = await app.institutionDefaults.find(registrationId);
  return { registration, defaults, courses: await app.courses.countOf(registrationId) };
}

/**
 * Changes defaults and locks. Locks take effect immediately. If locked grading values have changed, or when grades are sent, grades are
 * computed again, even if this process ends.
 * @param desired.revision The one seen. @returns false, without effect, if they have changed since.
 */
export async function changeInstitutionDefaults(
  app: AuditApp & InstitutionApp,
  desired: InstitutionDefaults,
) {
  const { registration, defaults } = await showInstitutionDefaults(app, desired.registrationId);
  const regrades = !isDeepStrictEqual(gradedBy(defaults), gradedBy(desired));
  const values = withSince(desired.values, beginningOf(firstValues, defaults).unplanned, app.clock.now());
  if (!(await app.institutionDefaults.change({ ...desired, values }, { regrades }))) return false;
  await writeAudit(app, { what: "defaults-changed", registrationId: registration.id, on: registration.name });
  return true;
}

function withSince(values: InstitutionValues, before: UnplannedRule, now: number): InstitutionValues {
  const { unplanned } = values;
  return unplanned === undefined ? values : { ...values, unplanned: ruleFrom(unplanned, before, now) };
}

/** The values that grades depend on. With a locked kind, unlocked defaults may become part of a course's policy, too. */
function gradedBy(defaults: InstitutionDefaults): unknown {
  const locked = lockedNames(defaults);
  const entries = policyNames
    .filter((part) => locked.includes(part))
    .map((part) => [part, defaults.values[part]]);
  return {
    entries,
    sending: [defaults.values.gradesUntil, defaults.values.gradesRelease],
    beneath: locked.includes("kind") ? policyNames.map((part) => defaults.values[part]) : null,
  };
}

/** How the courses of an LMS look. @throws NamedError "no-such-registration" */
export async function showBranding(
  app: Pick<App, "brandings" | "registrations">,
  registrationId: string,
): Promise<{ registration: Registration; branding: Branding }> {
  const registration = await knownRegistration(app.registrations, registrationId);
  return { registration, branding: await app.brandings.find(registrationId) };
}

/** @param desired.revision The one seen. @returns false, without effect, if it has changed since. */
export async function changeBranding(
  app: AuditApp & Pick<App, "brandings" | "registrations" | "brands">,
  desired: BrandingChange,
): Promise<boolean> {
  const { id, name } = await knownRegistration(app.registrations, desired.registrationId);
  if (!(await app.brandings.change(desired))) return false;
  app.brands.forget(id);
  await writeAudit(app, { what: "look-changed", registrationId: id, on: name });
  return true;
}

/** How long a page may show earlier branding after another instance of the tool has changed it. */
const lifeMs = 30_000;
/** How many institutions' branding a process caches. Each takes a few hundred bytes. */
const maxKnown = 2_000;

export type KnownBrands = ReturnType<typeof createKnownBrands>;

/** Caches what pages of an LMS's courses show of their institution, because every page asks for it. */
export function createKnownBrands(app: {
  brandings: Pick<BrandingStore, "find">;
  clock: Pick<Clock, "now">;
}) {
  const known = new Map<string, { brand: Promise<Brand | null>; until: number }>();
  const read = async (registrationId: string) => brandOf(await app.brandings.find(registrationId));
  const forget = (registrationId: string): void => {
    known.delete(registrationId);
  };
  return {
    /** Null if nothing is set. */
    of: async (registrationId: string): Promise<Brand | null> => {
      const now = app.clock.now();
      const cached = known.get(registrationId);
      if (cached !== undefined && now < cached.until) return cached.brand;
      const brand = read(registrationId);
      rememberIn(known, maxKnown, registrationId, { brand, until: now + lifeMs });
      try {
        return await brand;
      } catch (thrown) {
        forget(registrationId);
        throw thrown;
      }
    },
    /** Call it when the branding was changed here. */
    forget,
  };
}

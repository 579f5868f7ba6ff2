import type { App } from "../../app.ts";
import { type Course, keyOfCourse } from "../../domain/course.ts";
import type { Registration, RenamedDeployment } from "../../domain/registration.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { letOthersRun, pagesByKey } from "../../kernel/async.ts";
import { knownRegistration } from "./registrations.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";

export type SameLmsApp = Pick<App, "registrations" | "registrationMoves" | "deployments" | "courses"> &
  Pick<App, "apiKeys" | "columns" | "deliveries" | "personalRecords" | "tombstones" | "clock"> &
  Pick<App, "ids" | "regrades">;

/** What happens if a registration is the same LMS as an earlier one. */
export type SameLms = {
  from: Registration;
  to: Registration;
  deployments: readonly RenamedDeployment[];
  /** Courses of the earlier registration, which keep their Spaces. */
  courseCount: number;
  /** The last launch through the earlier registration (ms), which ends with this. Null for none. */
  lastLaunchAt: number | null;
  /** Courses that were opened only under the new registration. They move with everything in them. */
  moved: readonly NamedCourse[];
  /** Opened under both, with nothing in the new course: the earlier course takes its place. */
  replaced: readonly NamedCourse[];
  /** In use under both: the earlier course takes its place, and the new one can't be reached any more. */
  conflicts: readonly NamedCourse[];
};

export type NamedCourse = { id: string; title: string; spaceId: string | null };

const batchSize = 200;

/**
 * Changes nothing.
 * @throws NamedError "no-such-registration", "same-lms-itself", "same-lms-other", "same-lms-deployments", "same-lms-already"
 */
export async function planSameLms(app: SameLmsApp, newId: string, oldId: string): Promise<SameLms> {
  const from = await knownRegistration(app.registrations, newId);
  const to = await knownRegistration(app.registrations, oldId);
  const begun = await app.registrations.sameAs(newId);
  if (begun?.done === true) throw alreadySame(to);
  if (begun !== null && begun.as.registrationId !== to.id) throw alreadySame(to);
  checkSame(from, to, begun !== null);
  const deployments = begun?.as.deployments ?? (await renamed(app, from, to));
  const moved: NamedCourse[] = [];
  const replaced: NamedCourse[] = [];
  const conflicts: NamedCourse[] = [];
  for (const course of await coursesOf(app, newId)) {
    const named = { id: course.id, title: course.title, spaceId: course.spaceId };
    const deploymentId = earlierIdOf(deployments, course.deploymentId);
    const key = { registrationId: to.id, deploymentId, contextId: course.contextId };
    if ((await app.courses.findByKey(key)) === null) moved.push(named);
    else if (await isEmpty(app, course)) replaced.push(named);
    else conflicts.push(named);
  }
  const [latest] = await app.courses.latestOf(to.id, 1);
  const lastLaunchAt = latest?.lastLaunchAt ?? null;
  const courseCount = await app.courses.countOf(to.id);
  return { from, to, deployments: [...deployments], courseCount, lastLaunchAt, moved, replaced, conflicts };
}

/**
 * Continues an earlier registration of the same LMS: its id and records stay, reached through the new client id. The new registration is off
 * for these seconds. After a crash it stays off until this is called again, which continues.
 * @throws the errors of `planSameLms`
 */
export async function becomeSameLms(app: SameLmsApp, newId: string, oldId: string): Promise<SameLms> {
  const plan = await planSameLms(app, newId, oldId);
  const { to, deployments } = plan;
  const target = { id: to.id, idsHoldWithin: capabilitiesOf(to).idsHoldWithin };
  const as = { registrationId: to.id, deployments: [...deployments] };
  await app.registrations.becomes(newId, as);
  // Columns of the earlier client id can't be reached any more. Each is looked for when its course is opened again.
  for (const course of await coursesOf(app, to.id)) await forgetColumns(app, course);
  await app.registrationMoves.forgetServices(to.id);
  await app.registrationMoves.moveDeployments(newId, to.id, deployments);
  // While it's off, nothing new comes.
  for (const { id: courseId, deploymentId: told } of await coursesOf(app, newId)) {
    const deploymentId = earlierIdOf(deployments, told);
    await app.registrationMoves.moveCourse({ courseId, from: newId, to: target, deploymentId });
    await letOthersRun();
  }
  for (const course of await coursesOf(app, to.id))
    await app.regrades.enqueue(keyOfCourse(course), app.ids.id("rgr"), app.clock.now());
  for (const { id, deploymentId } of await app.apiKeys.list(newId))
    await app.apiKeys.move(id, to.id, deploymentId === null ? null : earlierIdOf(deployments, deploymentId));
  await app.tombstones.become(newId, as);
  await app.registrations.hasBecome(newId, as);
  await app.deliveries.unblock({ registrationId: to.id }, "lms", app.clock.now());
  return plan;
}

async function forgetColumns(app: SameLmsApp, { registrationId, id: courseId }: Course): Promise<void> {
  for (const column of await app.columns.listOfCourse(registrationId, courseId)) {
    if (column.lineItemUrl === null) continue;
    const now = app.clock.now();
    await app.deliveries.retryColumn({ registrationId, courseId, columnKey: column.key }, now);
    await app.columns.forget(column.id, column.lineItemUrl);
  }
}

async function coursesOf({ courses }: SameLmsApp, registrationId: string): Promise<Course[]> {
  const read = (after: string) => courses.idsAfter(registrationId, after, batchSize);
  const found: Course[] = [];
  for await (const ids of pagesByKey(batchSize, (id) => id, read))
    found.push(...(await courses.listMany(ids)).map(({ course }) => course));
  return found;
}

/** No attendance, plan or score: at most its Space was made, and people have looked in. */
async function isEmpty({ personalRecords }: SameLmsApp, { registrationId, id }: Course): Promise<boolean> {
  for (const model of ["Attendance", "SessionPlan", "Delivery", "CourseAuditEntry"]) {
    if ((await personalRecords.count(model, { registrationId, courseId: id })) > 0) return false;
  }
  return true;
}

/** The new registration's deployments, under their ids in the earlier one. */
async function renamed(app: SameLmsApp, from: Registration, to: Registration): Promise<RenamedDeployment[]> {
  const present = await app.deployments.listOf(from.id);
  const earlier = await app.deployments.listOf(to.id);
  const { lastingDeploymentPart: lastingPart } = capabilitiesOf(from);
  if (lastingPart !== null) {
    return present.flatMap(({ deploymentId: now }) => {
      const before = earlier.find(({ deploymentId }) => lastingPart(deploymentId) === lastingPart(now));
      return before === undefined ? [] : [{ told: now, kept: before.deploymentId }];
    });
  }
  const [now, ...moreNow] = present;
  const [before, ...moreBefore] = earlier;
  if (now === undefined || before === undefined || moreNow.length + moreBefore.length > 0) {
    throw refusal("same-lms-deployments", {
      values: { from: from.name, fromCount: present.length, to: to.name, toCount: earlier.length },
      status: 409,
    });
  }
  return [{ told: now.deploymentId, kept: before.deploymentId }];
}

function earlierIdOf(deployments: readonly RenamedDeployment[], deploymentId: string): string {
  return deployments.find((one) => one.told === deploymentId)?.kept ?? deploymentId;
}

function checkSame(from: Registration, to: Registration, begun: boolean): void {
  if (from.id === to.id) throw refusal("same-lms-itself", { status: 400 });
  // Another registration already continues it.
  if (from.renamedDeployments !== undefined) throw alreadySame(to);
  if (begun) return;
  if (from.issuer === to.issuer && from.environment === to.environment && from.family === to.family) return;
  throw refusal("same-lms-other", {
    values: { from: from.name, to: to.name, fromIssuer: from.issuer, toIssuer: to.issuer },
    status: 409,
  });
}

function alreadySame({ name }: Registration): NamedError {
  return refusal("same-lms-already", { values: { name }, status: 409 });
}

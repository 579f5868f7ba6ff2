import type { App } from "../../app.ts";
import { classroomRoleOf, listNameOf } from "../../domain/person.ts";
import type { CourseLink } from "../../domain/course-link.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { defaultGradePolicy } from "../../domain/grade-policy.ts";
import { languageOfLocale } from "../../domain/join-settings.ts";
import { defaultJoinSettings } from "../../settings/options.ts";
import { customParameter, type Launch } from "../../domain/launch.ts";
import { personScope } from "../../domain/person-scope.ts";
import type { Registration } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import { sectionIdsOf } from "../../domain/section.ts";
import { doesNotTeach } from "../../domain/course-rights.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";
import { factsOfPeople } from "../grading/counting-facts.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { gradeAfterChange } from "../grading/regrade.ts";
import { changesSummary } from "../attendance/rules/attendance-summary.ts";
import { accountOf, accountOfLms } from "../accounts/known-accounts.ts";
import { bindColumn } from "../grading/bind-column.ts";
import { joinByOffice } from "../members/join-members.ts";
import { previewsAsLearner } from "../members/rules/roster.ts";
import { enqueueApiUsers } from "../members/api-users.ts";
import { noteCopiedLink } from "../courses/change-settings.ts";
import type { SessionsOf } from "../../storage/browser-session-store.ts";
import { type RecordLinkApp, recordLink } from "../links/links.ts";

type RecordLaunchApp = RecordLinkApp &
  GradingApp &
  Pick<App, "courseCopies" | "provisioning" | "provisionsOf" | "wake"> &
  Pick<App, "accounts" | "deployments" | "people" | "members" | "columns"> &
  Pick<App, "browserSessions" | "officeJoins" | "rosterSyncs" | "tombstones">;

export type RecordedLaunch = {
  course: Course;
  person: Person;
  member: Member;
  /** Null if the launch came from no link. */
  link: CourseLink | null;
};

/** Starts the reads that don't depend on each other, so `recordLaunch` finds them done. */
export async function beginReads(
  app: Pick<App, "accounts" | "courses" | "framing" | "institutionDefaults" | "people">,
  registration: Registration,
  { registrationId, deploymentId, person, course }: Launch,
): Promise<void> {
  if (person === null || course === null) return;
  const environment = accountOfLms(registration);
  const deployment = { registrationId, deploymentId };
  const scope = personScope(capabilitiesOf(registration), registration, { ...deployment, environment });
  await Promise.all([
    app.courses.findByKey({ ...deployment, contextId: course.id }),
    app.institutionDefaults.find(registrationId),
    app.people.findBySub({ ...scope, sub: person.sub }),
    app.accounts.lookUp(environment),
    app.framing.useBranding(registration.id),
  ]);
}

/**
 * Records the course, the person, their membership with this launch's role, and the link's column. Repeatable.
 * @throws NamedError "anonymous-launch", "launch-without-course"
 */
export async function recordLaunch(
  app: RecordLaunchApp,
  registration: Registration,
  launch: Launch,
): Promise<RecordedLaunch> {
  if (launch.person === null) throw refusal("anonymous-launch", { status: 403 });
  if (launch.course === null) throw refusal("launch-without-course", { status: 200 });
  const { clock, ids } = app;
  const { registrationId, deploymentId } = launch;
  const environment = await accountOf(app, registration, deploymentId);
  const key = { registrationId, deploymentId, contextId: launch.course.id };
  const course = await app.courses.record(
    key,
    {
      title: launch.course.title,
      label: launch.course.label,
      lineItemsUrl: launch.grades?.lineItemsUrl ?? null,
      gradeScopes: launch.grades?.scopes ?? [],
      gradesLink: gradesLinkOf(launch),
      membershipsUrl: launch.membershipsUrl,
      groupsUrl: launch.groups?.groupsUrl ?? null,
      groupSetsUrl: launch.groups?.setsUrl ?? null,
      history: historyOf(launch),
      courseUrl: launch.presentation.courseUrl,
      language: instructorsLanguageOf(launch),
      lastLaunchAt: clock.now(),
    },
    {
      id: ids.id("crs"),
      environment,
      settings: defaultJoinSettings,
      policy: defaultGradePolicy,
      createdAt: clock.now(),
    },
  );
  // Another process may have just added the account.
  await app.accounts.lookUp(course.environment);
  const recordCopyAndLink = async () => {
    await noteCopiedLink(app, course, launch);
    return recordLinkWithColumn(app, course, launch);
  };
  // Neither needs the other, so together they take as many round trips as one.
  const [known, link] = await Promise.all([
    recordPerson(app, registration, course, launch, asKnownHere(launch.person, launch, course)),
    recordCopyAndLink(),
  ]);
  return { course, ...known, link };
}

async function recordPerson(
  app: RecordLaunchApp,
  registration: Registration,
  course: Course,
  launch: Launch,
  { sub, ...facts }: NonNullable<Launch["person"]>,
): Promise<Pick<RecordedLaunch, "person" | "member">> {
  const scope = personScope(capabilitiesOf(registration), registration, course);
  const id = app.ids.id("per");
  const person = await app.people.record({ ...scope, sub }, facts, { id, environment: course.environment });
  // Nothing refers to a person who was created just now.
  const isNew = person.id === id;
  const [before, joinedAt] = await Promise.all([
    isNew ? null : app.members.find(course.registrationId, course.id, person.id),
    isNew ? joinedNow(app, course) : null,
    // An erased person who comes back is a new person, and rosters and webhooks may name them again. Done only now, because an erasure that is
    // just beginning would take them for a person from a roster.
    reactivate(app, launch, scope.deploymentId, sub),
  ]);
  const member = await recordMember(app, course, person, { before, isNew, joinedAt }, launch);
  // People without an API user for their role get one on entry.
  const role = classroomRoleOf(member.role);
  if (person.apiUsers[role] !== null) await enqueueApiUsers(app, course, [{ person, role }]);
  return { person, member };
}

function asKnownHere<Given extends { sub: string }>(given: Given, { rights }: Launch, course: Course) {
  return rights.testUser ? { ...given, sub: subOfPreview(course), previewSub: given.sub } : given;
}

/** Canvas makes a preview student with a new id at each reset. Here a course has a single one, with one user in the classroom. */
export function subOfPreview(course: Pick<Course, "id">): string {
  return `preview-student-of-${course.id}`;
}

/** In Canvas, tombstones of earlier versions belong to one deployment, not to the registration. */
async function reactivate(
  { tombstones, clock }: Pick<RecordLaunchApp, "tombstones" | "clock">,
  { registrationId, deploymentId }: Launch,
  peopleDeployment: string,
  sub: string,
): Promise<void> {
  const deploymentIds = [...new Set([peopleDeployment, deploymentId])];
  const identities = deploymentIds.map((one) => ({ deploymentId: one, sub }));
  await tombstones.reactivate(registrationId, identities, clock.now());
}

async function recordMember(
  app: RecordLaunchApp,
  course: Course,
  person: Person,
  { before, isNew, joinedAt }: { before: Member | null; isNew: boolean; joinedAt: number | null },
  { rights, student, custom, presentation }: Launch,
): Promise<Member> {
  const { registrationId, id: courseId } = course;
  const key = { registrationId, courseId };
  const { role, testUser } = rights;
  const previews = previewsAsLearner(before, role);
  await endTaught(app, { ...key, personIds: [person.id] }, previews, rights);
  const { locale } = presentation;
  const language = locale === null ? null : languageOfLocale(locale);
  const sectionIds = sectionIdsOf(custom);
  const facts = { testUser, ...(previews ? {} : { student }) };
  const joins = before === null && !isNew ? await app.officeJoins.listOf(registrationId, [person.id]) : [];
  const record = async () => {
    const member = await app.members.recordLaunch(
      { ...key, personId: person.id },
      {
        role: previews ? "as-listed" : role,
        ...facts,
        lastLaunchAt: app.clock.now(),
        listName: listNameOf(person),
        ...(language === null ? {} : { language }),
      },
      sectionIds,
      app.ids.id("mem"),
      before !== null,
      before === null && !isNew ? await joinedNow(app, course) : joinedAt,
    );
    for (const join of joins) await joinByOffice(app, key, join);
    return previews ? { ...member, role, student } : member;
  };
  const told = { active: true, ...facts, ...(sectionIds === null ? {} : { sectionIds }) };
  const concerns =
    before === null
      ? !isNew && (joins.length > 0 || (await factsOfPeople(app, course, [person.id])).length > 0)
      : changesSummary(before, { ...before, ...told });
  if (!concerns) return record();
  const joined = await app.people.findMany(joins.flatMap(({ personId, joinedTo }) => [personId, joinedTo]));
  return gradeAfterChange(app, course, [person, ...joined.filter(({ id }) => id !== person.id)], record);
}

/** Ends sessions that have more rights before the launch is stored, because this process may end in between. */
async function endTaught(
  { browserSessions, clock }: Pick<RecordLaunchApp, "browserSessions" | "clock">,
  of: SessionsOf,
  previews: boolean,
  { staffRole }: Launch["rights"],
): Promise<void> {
  if (previews) await browserSessions.endAll({ ...of, role: "instructor" }, clock.now(), "role-changed");
  else if (doesNotTeach(staffRole))
    await browserSessions.endAll({ ...of, staffRole: "teacher" }, clock.now(), "role-changed");
}

/** When a person joined, if the course's first roster didn't have them. Null before that roster was read. */
async function joinedNow(
  { rosterSyncs, clock }: Pick<RecordLaunchApp, "rosterSyncs" | "clock">,
  { registrationId, id }: Course,
): Promise<number | null> {
  const read = await rosterSyncs.find(registrationId, id);
  return read === null || read.doneAt === null ? null : clock.now();
}

async function recordLinkWithColumn(app: RecordLaunchApp, course: Course, launch: Launch) {
  const recorded = await recordLink(app, course, launch);
  if (recorded === null) return null;
  await bindColumn(app, course, launch, recorded.columnKey);
  return recorded.link;
}

/** A visiting administrator says nothing about the course's language. */
function instructorsLanguageOf({ rights, presentation: { locale } }: Launch): string | null {
  const teaches = rights.role === "instructor" && !doesNotTeach(rights.staffRole);
  return teaches && locale !== null ? languageOfLocale(locale) : null;
}

function gradesLinkOf({ grades, link }: Launch): Course["gradesLink"] {
  const lineItemsUrl = grades?.lineItemsUrl ?? null;
  return link === null || lineItemsUrl === null ? null : { linkId: link.id, lineItemsUrl };
}

/** Ids of the courses it was copied from. Canvas ends a list that is too long with "truncated". */
function historyOf(launch: Launch): string[] {
  const ids = (launch.custom[customParameter.contextHistory] ?? "").split(",");
  return ids.flatMap((id) => {
    const plain = decoded(id.trim());
    return plain === "" || plain === "truncated" || plain === launch.course?.id ? [] : [plain];
  });
}

/** History ids are URL-encoded (LTI Core 1.3, appendix B). Ids that aren't stay as they are. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

import type { MarkedRow } from "../../../src/modules/attendance/rules/records.ts";
import type { MarksApp } from "../../../src/modules/attendance/run-mark.ts";
import type { KnownStatus } from "../../../src/domain/attendance.ts";
import type { RosterChange } from "../../../src/modules/members/store/member-store.ts";
import { recordPerson } from "./give-api-user.ts";
import { openGradingCourse } from "./grading-course.ts";
import type { StoresFrom } from "./open-empty-stores.ts";
import { eventOf } from "./event.ts";
import { required } from "../required.ts";

export type RegisterCourse = Awaited<ReturnType<typeof openRegisterCourse>>;

/** A course with an instructor ("per-Ina", Ina Instructor), and the learners and sessions that a test wants. */
export async function openRegisterCourse(from?: StoresFrom) {
  const course = await openGradingCourse(from);
  const { stores, key, deps } = course;
  const woken = { times: 0 };
  const marking: MarksApp = {
    ...deps,
    wake: () => {
      woken.times += 1;
    },
  };
  const known = async (id: string, name: string | null) => {
    await recordPerson(stores.people, id, { name });
    return id;
  };
  const person = (name: string) => known(`per-${name}`, name === "Ina" ? "Ina Instructor" : name);
  const mailOf = (name: string) => `${name}@example.edu`;
  /** The roster changes its data about a person. */
  const changed = async (name: string, to: RosterChange["to"]) => {
    const change = { personId: `per-${name}`, id: "", to };
    await stores.members.applyRoster(key, course.clock.now() + 1_000, { made: [], changed: [change] });
  };
  const record = (name: string, eventId: string) =>
    stores.attendance.find({ ...key, eventId, personId: `per-${name}` });
  if (typeof from !== "string") await person("Ina");
  return {
    ...course,
    marking,
    woken,
    known,
    /** A person becomes a learner; their id is "per-<name>". */
    enrol: async (name: string, sectionIds: readonly string[] = []) => {
      await course.learner(await person(name), sectionIds);
    },
    /** Enrols learners "per-000" and so on, called "Learner 000". @returns their ids. */
    enrolMany: async (number: number): Promise<string[]> => {
      const numbers = Array.from({ length: number }, (_, n) => String(n).padStart(3, "0"));
      let next = 0;
      await stores.people.recordMany(
        { registrationId: key.registrationId, deploymentId: "1" },
        numbers.map((n) => ({
          sub: `sub-${n}`,
          name: `Learner ${n}`,
          givenName: null,
          familyName: null,
          email: null,
        })),
        { newId: () => `per-${numbers[next++] ?? ""}`, environment: "production" },
      );
      const ids = numbers.map((n) => `per-${n}`);
      const made = ids.map((personId): RosterChange => ({
        personId,
        id: `mem_${personId}`,
        to: { role: "learner", listName: personId.replace("per-", "learner ") },
      }));
      await stores.members.applyRoster(key, course.clock.now(), { made, changed: [] });
      return ids;
    },
    changed,
    /** The roster no longer lists them. */
    leaves: (name: string) => changed(name, { active: false }),
    /** The LMS moves them to other sections. */
    moves: (name: string, sectionIds: readonly string[]) => changed(name, { sectionIds }),
    /** A member with an e-mail address, in a role. */
    mailable: async (
      name: string,
      role: "instructor" | "learner" = "learner",
      email: string | null = mailOf(name),
    ) => {
      await course.learner(await person(name), []);
      await changed(name, { role });
      const { id, registrationId, deploymentId, sub, environment } = required(
        await stores.people.find(`per-${name}`),
      );
      const facts = { name, givenName: null, familyName: null, email };
      await stores.people.record({ registrationId, deploymentId, sub }, facts, { id, environment });
    },
    session: async (eventId: string, startsAt: number | null = 1_000) => {
      await stores.events.save(
        eventOf({
          eventId,
          title: `Lesson ${eventId}`,
          startsAt,
          endsAt: startsAt === null ? null : startsAt + 3_600_000,
          courseId: key.courseId,
        }),
      );
    },
    /** The classroom reports something, for the person's current sections. */
    classroomSays: async (name: string, eventId: string, status: string, at: number) => {
      const personId = `per-${name}`;
      const member = await stores.members.find(key.registrationId, key.courseId, personId);
      await stores.attendance.record(
        { ...key, eventId, personId },
        { status, notes: null, at, updatedBy: null },
        { id: `att-${eventId}-${name}`, sectionIds: member?.sectionIds ?? [] },
      );
    },
    record,
    /** A row of a form that shows the record as it is now. */
    row: async (
      name: string,
      eventId: string,
      status: KnownStatus | null,
      change: Partial<MarkedRow> = {},
    ): Promise<MarkedRow> => ({
      personId: `per-${name}`,
      status,
      notes: null,
      seen: (await record(name, eventId))?.revision ?? 0,
      confirms: false,
      ...change,
    }),
    audit: () => stores.courseAudit.list({ ...key, personId: null }, null, 1_000),
  };
}

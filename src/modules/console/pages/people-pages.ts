import { Router } from "express";
import { userIdsOf } from "../../../domain/api-user.ts";
import type { Person } from "../../../domain/course.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { cutTo } from "../../../kernel/text.ts";
import { courseName } from "../../courses/rules/course.ts";
import { countSessions, endSessionsOfPerson } from "../../operations/sessions.ts";
import {
  confirmTyped,
  eraseCourse,
  erasePerson,
  findPerson,
  personSubject,
  searchPeople,
  uninstallRegistration,
  unknownCourse,
} from "../../privacy/erase.ts";
import {
  countHeld,
  type ExportApp,
  exportCourse,
  exportPerson,
  listAttendance,
} from "../../privacy/export.ts";
import type { Erasure } from "../../privacy/rules/erasure.ts";
import { numberText } from "../../../web/page-text.ts";
import { byteOrderMark, csvLine } from "../../../web/table-file.ts";
import { defineView } from "../../../web/view.ts";
import { sendFile } from "./audit-pages.ts";
import type { ConsoleApp } from "./console-session.ts";
import type { Gate, Visit } from "./gate.ts";
import { heldWords, type SessionsView, sessionsView } from "./in-words.ts";
import type { ConsoleFrame, HeldTable } from "./partials.ts";

export type PeoplePage = ConsoleFrame & {
  typed: string;
  asked: boolean;
  lms: string | null;
  registrations: { id: string; name: string }[];
  people: (Person & { userIds: readonly string[] })[];
  /** That there may be more; null where there are not. */
  most: string | null;
};

export type PersonPage = ConsoleFrame & {
  person: Person & { userIds: readonly string[] };
  lms: string;
  courses: string;
  held: HeldTable["rows"];
  /** Of the classroom: they are not erased there. */
  userIds: readonly string[];
  sessions: SessionsView;
  note: "signedOut" | null;
};

const peoplePage = defineView<PeoplePage>("admin/people");
const personPage = defineView<PersonPage>("admin/person");

/** From so many on there may be more. */
const maxFound = 30;

/** For operators only: an LMS's administrators decide about their LMS, not about the person behind it. */
export function peoplePages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/people",
    gate.page((visit) => showSearch(deps, visit, false)),
  );
  // Posted, so that no address, and no log of addresses, contains what was typed.
  router.post(
    "/people",
    gate.action((visit) => showSearch(deps, visit, true)),
  );
  router.get(
    "/people/:id",
    gate.page((visit) => showOne(deps, visit)),
  );
  router.post(
    "/people/:id/export",
    gate.action(async ({ part, response, asOperator }) => {
      const person = await findPerson(deps, { personId: part("id") });
      const file = { name: `${person.id}.json`, type: "application/json" };
      await sendFile(response, file, exportPerson({ ...deps, ...asOperator }, person));
    }),
  );
  router.post(
    "/people/:id/sign-out",
    gate.action(async ({ part, goTo, asOperator }) => {
      await endSessionsOfPerson({ ...deps, ...asOperator }, part("id"));
      goTo(`/admin/people/${part("id")}`, "signedOut");
    }),
  );
  router.post(
    "/people/:id/erase",
    gate.action(async ({ part, field, goTo, asOperator }) => {
      const person = await findPerson(deps, { personId: part("id") });
      confirmTyped(field("typed"), person.sub);
      const { id } = await erasePerson({ ...deps, ...asOperator }, person.id);
      goTo(`/admin/erasures/${id}`);
    }),
  );
  return router;
}

async function showSearch(deps: ConsoleApp, { show, t, field }: Visit, asked: boolean): Promise<void> {
  const registrations = await deps.registrations.list();
  const typed = cutTo(field("q"), 500);
  const lms = registrations.find(({ id }) => id === field("lms")) ?? registrations[0];
  const people = asked && lms !== undefined ? await searchPeople(deps, lms.id, typed) : [];
  show({
    view: peoplePage,
    title: t("console.areas.people"),
    area: "people",
    model: {
      typed,
      asked,
      lms: lms?.id ?? null,
      registrations: registrations.map(({ id, name }) => ({ id, name })),
      people: people.map((one) => ({ ...one, userIds: userIdsOf(one) })),
      most: people.length < maxFound ? null : numberText(t, people.length),
    },
  });
}

async function showOne(deps: ConsoleApp, { show, t, part, request }: Visit): Promise<void> {
  const person = await findPerson(deps, { personId: part("id") });
  const subject = await personSubject(deps, person);
  const held = await countHeld(deps, subject);
  const registrations = await deps.registrations.list();
  const { id, registrationId } = person;
  const sessions = await countSessions(deps, { registrationId, personIds: [id] });
  show({
    view: personPage,
    title: person.name ?? t("privacy.nameless"),
    area: "people",
    model: {
      person: { ...person, userIds: userIdsOf(person) },
      lms: registrations.find(({ id }) => id === person.registrationId)?.name ?? "",
      courses: numberText(t, subject.courseIds.length),
      held: heldWords(t, new Map(held.map(({ key, count }) => [key, count]))),
      userIds: subject.userIds,
      sessions: sessionsView(t, sessions, { of: "person", action: `/admin/people/${id}/sign-out` }),
      note: request.query["note"] === "signedOut" ? "signedOut" : null,
    },
  });
}

/** Latest first. `most`: how many are listed at most. */
export type ErasuresPage = ConsoleFrame & { erasures: readonly Erasure[]; most: string };

/** `erased`: numbers by kind. */
export type ErasurePage = ConsoleFrame & { erasure: Erasure; erased: HeldTable["rows"] };

const erasuresPage = defineView<ErasuresPage>("admin/erasures");
const erasurePage = defineView<ErasurePage>("admin/erasure");

const listSize = 50;

/** Exports and erases a course, uninstalls an LMS, lists erasures. For operators only. */
export function erasingPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.post(
    "/courses/:id/export",
    gate.action(async ({ part, field, response, asOperator }) => {
      const as = { ...deps, ...asOperator };
      const id = part("id");
      if (field("as") === "csv")
        await sendFile(response, { name: `${id}.csv`, type: "text/csv; charset=utf-8" }, tableOf(as, id));
      else await sendFile(response, { name: `${id}.json`, type: "application/json" }, exportCourse(as, id));
    }),
  );
  router.post(
    "/courses/:id/erase",
    gate.action(async ({ part, field, goTo, asOperator }) => {
      const course = await deps.courses.find(part("id"));
      if (course === null) throw unknownCourse();
      // As its page is headed.
      confirmTyped(field("typed"), courseName(course));
      const { id } = await eraseCourse({ ...deps, ...asOperator }, course.id);
      goTo(`/admin/erasures/${id}`);
    }),
  );
  router.post(
    "/registrations/:id/uninstall",
    gate.action(async ({ part, field, goTo, asOperator }) => {
      const { id } = await uninstallRegistration({ ...deps, ...asOperator }, part("id"), field("typed"));
      goTo(`/admin/erasures/${id}`);
    }),
  );
  router.get(
    "/erasures",
    gate.page(async ({ show, t }) => {
      const erasures = await deps.erasures.listAsked(listSize);
      show({
        view: erasuresPage,
        title: t("privacy.erasures.heading"),
        area: "people",
        model: { erasures, most: numberText(t, listSize) },
      });
    }),
  );
  router.get(
    "/erasures/:id",
    gate.page((visit) => showErasure(deps, visit)),
  );
  return router;
}

async function showErasure(deps: ConsoleApp, { show, t, part }: Visit): Promise<void> {
  const erasure = await deps.erasures.find(part("id"));
  if (erasure === null) throw refusal("no-such-console-page", { status: 404 });
  show({
    view: erasurePage,
    title: erasure.label ?? t(`privacy.erasures.kinds.${erasure.kind}`),
    area: "people",
    model: { erasure, erased: heldWords(t, new Map(Object.entries(erasure.erased))) },
  });
}

/** Part of the export's format, so in English like its keys. */
const columns = [
  ...["session", "eventId", "startsAt", "name", "lmsUserId"],
  ...["status", "source", "notes", "reason"],
];

async function* tableOf(deps: ExportApp, courseId: string): AsyncGenerator<string> {
  let head = `${byteOrderMark}${csvLine(columns)}`;
  for await (const { session, eventId, startsAt, person, status, source, notes, reason } of listAttendance(
    deps,
    courseId,
  )) {
    const starts = startsAt === null ? null : new Date(startsAt).toISOString();
    const who = [person?.name ?? null, person?.sub ?? null];
    yield head + csvLine([session, eventId, starts, ...who, status, source, notes, reason]);
    head = "";
  }
  if (head !== "") yield head;
}

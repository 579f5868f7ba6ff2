import { Router } from "express";
import { countSessions, endSessionsOfPerson } from "../../operations/end-sessions.ts";
import { userIdsOf } from "../../../domain/api-user.ts";
import { confirmTyped, erasePerson, personSubject } from "../../privacy/erase.ts";
import { countHeld, exportPerson } from "../../privacy/export.ts";
import { findPerson, searchPeople } from "../../privacy/find-person.ts";
import type { Person } from "../../../domain/course.ts";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate, Visit } from "./gate.ts";
import { heldWords } from "./held-words.ts";
import { sendFile } from "./send-file.ts";
import { type SessionsView, sessionsView } from "./sessions-view.ts";
import type { ConsoleFrame, HeldTable } from "./partials.ts";
import { cutTo } from "../../../kernel/text.ts";

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
  // Posted, so that what was typed stands in no address and in no log of one.
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
    title: t("privacy.heading"),
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

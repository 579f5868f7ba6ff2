import { Router } from "express";
import { countSessions, endSessionsOfPerson, type EndSessionsDeps } from "../../operations/end-sessions.ts";
import { userIdsOf } from "../../../domain/api-user.ts";
import { confirmTyped } from "../../privacy/confirm-typed.ts";
import { countHeld } from "../../privacy/count-held.ts";
import { erasePerson, type ErasePersonDeps } from "../../privacy/erase-person.ts";
import { exportPerson, type ExportPersonDeps } from "../../privacy/export-person.ts";
import { findPerson, type FindPersonDeps, searchPeople } from "../../privacy/find-person.ts";
import { personSubject } from "../../privacy/person-subject.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Gate, Visit } from "./gate.ts";
import { heldWords } from "./held-words.ts";
import { sendFile } from "./send-file.ts";
import { sessionsView } from "./sessions-view.ts";

export type PeoplePagesDeps = FindPersonDeps &
  ErasePersonDeps &
  ExportPersonDeps &
  EndSessionsDeps & { registrations: Pick<RegistrationStore, "list"> };

/** From so many on there may be more than are shown. */
const mostFound = 30;

/**
 * People: finding somebody, what is kept about them, giving it out, erasing it. For operators only: an LMS's administrators
 * decide about their LMS, not about the person behind it.
 */
export function peoplePages(deps: PeoplePagesDeps, gate: Gate): Router {
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
    gate.action(async ({ part, response }) => {
      const person = await findPerson(deps, { personId: part("id") });
      const file = { name: `${person.id}.json`, type: "application/json" };
      await sendFile(response, file, exportPerson(deps, person));
    }),
  );
  router.post(
    "/people/:id/sign-out",
    gate.action(async ({ part, goTo }) => {
      await endSessionsOfPerson(deps, part("id"));
      goTo(`/admin/people/${part("id")}`, "signedOut");
    }),
  );
  router.post(
    "/people/:id/erase",
    gate.action(async ({ part, field, goTo }) => {
      const person = await findPerson(deps, { personId: part("id") });
      confirmTyped(field("typed"), person.sub);
      const { id } = await erasePerson(deps, person.id);
      goTo(`/admin/erasures/${id}`);
    }),
  );
  return router;
}

async function showSearch(deps: PeoplePagesDeps, { show, t, field }: Visit, asked: boolean): Promise<void> {
  const registrations = await deps.registrations.list();
  const typed = field("q").slice(0, 500);
  const lms = registrations.find(({ id }) => id === field("lms")) ?? registrations[0];
  const people = asked && lms !== undefined ? await searchPeople(deps, lms.id, typed) : [];
  show({
    view: "people",
    title: t("privacy.heading"),
    area: "people",
    values: {
      typed,
      asked,
      lms: lms?.id ?? null,
      registrations: registrations.map(({ id, name }) => ({ id, name })),
      people: people.map((one) => ({ ...one, userIds: userIdsOf(one) })),
      most: people.length < mostFound ? null : numberText(t, people.length),
    },
  });
}

async function showOne(deps: PeoplePagesDeps, { show, t, part, request }: Visit): Promise<void> {
  const person = await findPerson(deps, { personId: part("id") });
  const subject = await personSubject(deps, person);
  const held = await countHeld(deps, subject);
  const registrations = await deps.registrations.list();
  const { id, registrationId } = person;
  const sessions = await countSessions(deps, { registrationId, personIds: [id] });
  show({
    view: "person",
    title: person.name ?? t("privacy.nameless"),
    area: "people",
    values: {
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

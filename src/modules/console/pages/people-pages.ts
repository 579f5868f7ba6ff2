import type { Router } from "express";
import { userIdsOf } from "../../../domain/person.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { cutTo } from "../../../kernel/text.ts";
import { courseName } from "../../courses/rules/course.ts";
import { endSessionsOfPerson } from "../../operations/change-registration.ts";
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
  countRecords,
  type ExportApp,
  exportCourse,
  exportPerson,
  listAttendance,
} from "../../privacy/export.ts";
import type { Erasure } from "../../privacy/rules/erasure.ts";
import { numberText } from "../../../web/page-text.ts";
import { byteOrderMark, csvLine } from "../../../web/table-file.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, operatorsOnly, type Visit, type GatedRoutes } from "./gate.ts";
import { personalDataRows, sessionsView } from "./in-words.ts";
import { type ListContext, consoleList } from "./list.ts";
import { lmsChoice, table } from "./list-view.ts";
import type { ConsoleFrame, PersonalDataTable, PageOf } from "./partials.ts";
import { formField } from "./requests.ts";
import { sendFile } from "../../../web/answer.ts";
import type { Person } from "../../../domain/course.ts";
import { joinEverywhere, separateEverywhere } from "../../attendance/join-accounts.ts";
import { excusePerson, showExcuses, takeBackExcuse } from "../../attendance/office-excuses.ts";
import { oneLine } from "../../attendance/pages/register-form.ts";
import { maxReasonLength } from "../../attendance/learner-words.ts";
import type { Translate } from "../../../web/translate.ts";

export type PersonPage = PageOf<typeof personModel>;

const personPage = defineView<PersonPage>("admin/person");

/** If this many are found, there may be more. */
const maxFound = 30;
/** UTF-16 units. */
const maxTyped = 500;

/** For operators only, because an LMS's administrators decide about their LMS, not about the person behind it. */
export function peoplePages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/people",
    area: "people",
    posted: true,
    read: (given) => ({ q: cutTo(formField(given, "q"), maxTyped), lms: formField(given, "lms") }),
    rows: (context) => foundPeople(app, context),
    around: ({ t, query: { q } }, { registrations, within, none }) => ({
      lead: t("privacy.lead"),
      filter:
        within === undefined
          ? null
          : {
              fields: [
                { name: "q", label: t("privacy.search"), value: q, required: true, maxLength: maxTyped },
                ...lmsChoice(t("console.courses.lms"), within.id, registrations),
              ],
              button: t("console.courses.find"),
              hint: t("privacy.hint"),
            },
      empty: within === undefined ? t("console.allKeys.none") : none,
      below: [{ text: t("privacy.erasures.heading"), link: "/admin/erasures" }],
    }),
  });
  const { page, action } = gate.routes(operatorsOnly, router);
  page("/people/:id", async (visit) => {
    const model = await personModel(app, visit);
    const title = model.person.name ?? visit.t("privacy.nameless");
    visit.show({ view: personPage, title, area: "people", model });
  });
  action("/people/:id/export", async ({ part, response, asOperator }) => {
    const person = await findPerson(app, { personId: part("id") });
    const file = { name: `${person.id}.json`, type: "application/json" };
    await sendFile(response, file, exportPerson({ ...app, ...asOperator }, person));
  });
  action("/people/:id/sign-out", async ({ part, goTo, asOperator }) => {
    await endSessionsOfPerson({ ...app, ...asOperator }, part("id"));
    goTo(`/admin/people/${part("id")}`, "signedOut");
  });
  action("/people/:id/erase", async ({ part, field, goTo, asOperator }) => {
    const person = await findPerson(app, { personId: part("id") });
    confirmTyped(field("typed"), person.sub);
    const { id } = await erasePerson({ ...app, ...asOperator }, person.id);
    goTo(`/admin/erasures/${id}`);
  });
  addOfficeRoutes(app, { action });
  return router;
}

async function foundPeople(
  app: ConsoleApp,
  { t, query: { q, lms }, visit: { request } }: ListContext<{ q: string; lms: string }>,
) {
  const registrations = await app.registrations.list();
  const within = registrations.find(({ id }) => id === lms) ?? registrations[0];
  const asked = request.method === "POST";
  const people = asked && within !== undefined ? await searchPeople(app, within.id, q) : [];
  const number = numberText(t, people.length);
  return {
    registrations,
    within,
    none: asked ? t("privacy.notFound") : null,
    tables: [
      table(
        {
          label: t("console.courses.found"),
          heading: t("console.courses.found"),
          ...(people.length < maxFound ? {} : { lead: t("console.search.most", { number }) }),
          rows: people,
        },
        ({ column, plain }) => [
          plain(t("common.person"), ({ id, name, email }) => [
            { text: name ?? t("privacy.nameless"), link: `/admin/people/${id}` },
            email,
          ]),
          column(t("privacy.sub"), ({ sub }) => ({ text: sub, code: true })),
          column(t("privacy.userId"), (person) => {
            const ids = userIdsOf(person);
            return ids.length === 0
              ? { text: t("privacy.noUser"), quiet: true }
              : ids.map((text) => ({ text, code: true }));
          }),
        ],
      ),
    ],
  };
}

async function personModel(app: ConsoleApp, { t, part, note }: Visit) {
  const person = await findPerson(app, { personId: part("id") });
  const { id, registrationId } = person;
  const subject = await personSubject(app, person);
  const counts = await countRecords(app, subject);
  const registration = await app.registrations.find(registrationId);
  const of = { registrationId, personIds: [id] };
  const sessions = await app.browserSessions.countLive(of, app.clock.now());
  return {
    person: { ...person, userIds: userIdsOf(person) },
    lms: registration?.name ?? "",
    courses: numberText(t, subject.courseIds.length),
    personalData: personalDataRows(t, new Map(counts.map(({ key, count }) => [key, count]))),
    /** User ids in the classroom, where the tool doesn't erase people. */
    userIds: subject.userIds,
    sessions: sessionsView(t, sessions, { of: "person", action: `/admin/people/${id}/sign-out` }),
    office: await officeView(app, t, person),
    note: note(["signedOut", "excused", "excuseTakenBack", "joined", "separated"]),
  };
}

/** `erased`: numbers by kind. */
export type ErasurePage = ConsoleFrame & { erasure: Erasure; erased: PersonalDataTable["rows"] };

const erasurePage = defineView<ErasurePage>("admin/erasure");

const listSize = 50;

/** Exports and erases a course, uninstalls an LMS, and lists erasures. For operators only. */
export function erasingPages(app: ConsoleApp, gate: Gate): Router {
  const { router, action, page } = gate.routes();
  action("/courses/:id/export", async ({ part, field, response, asOperator }) => {
    const as = { ...app, ...asOperator };
    const id = part("id");
    if (field("as") === "csv")
      await sendFile(response, { name: `${id}.csv`, type: "text/csv; charset=utf-8" }, tableOf(as, id));
    else await sendFile(response, { name: `${id}.json`, type: "application/json" }, exportCourse(as, id));
  });
  action("/courses/:id/erase", async ({ part, field, goTo, asOperator }) => {
    const course = await app.courses.find(part("id"));
    if (course === null) throw unknownCourse();
    // Must match the heading of the course's page.
    confirmTyped(field("typed"), courseName(course));
    const { id } = await eraseCourse({ ...app, ...asOperator }, course.id);
    goTo(`/admin/erasures/${id}`);
  });
  action("/registrations/:id/uninstall", async ({ part, field, goTo, asOperator }) => {
    const { id } = await uninstallRegistration({ ...app, ...asOperator }, part("id"), field("typed"));
    goTo(`/admin/erasures/${id}`);
  });
  router.use(erasuresList(app, gate));
  page("/erasures/:id", (visit) => showErasure(app, visit));
  return router;
}

function erasuresList(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    path: "/erasures",
    area: "people",
    title: (t) => t("privacy.erasures.heading"),
    read: () => ({}),
    rows: async ({ t }) => {
      const rows = await app.erasures.listAsked(listSize);
      return {
        isCut: rows.length === listSize,
        tables: [
          table({ label: t("privacy.erasures.heading"), rows }, ({ column, plain }) => [
            plain(t("common.what"), ({ id, label, kind }) => ({
              text: label ?? t(`privacy.erasures.kinds.${kind}`),
              link: `/admin/erasures/${id}`,
            })),
            column(t("privacy.erasures.asked"), ({ askedAt: at }) => ({ at })),
            plain(t("common.state"), ({ state }) => ({
              text: t(`privacy.erasures.states.${state}`),
              pill: state === "done" ? "good" : "info",
            })),
          ]),
        ],
      };
    },
    around: ({ t }, { isCut }) => ({
      notes: [
        isCut ? { tone: "", text: t("privacy.erasures.latest", { number: numberText(t, listSize) }) } : null,
      ],
      empty: t("privacy.erasures.none"),
      below: [{ text: t("privacy.erasures.back"), link: "/admin/people" }],
    }),
  });
}

async function showErasure(app: ConsoleApp, { show, t, part }: Visit): Promise<void> {
  const erasure = await app.erasures.find(part("id"));
  if (erasure === null) throw refusal("no-such-console-page", { status: 404 });
  show({
    view: erasurePage,
    title: erasure.label ?? t(`privacy.erasures.kinds.${erasure.kind}`),
    area: "people",
    model: { erasure, erased: personalDataRows(t, new Map(Object.entries(erasure.erased))) },
  });
}

/** Part of the export's format, so they are English like its keys. */
const columns = [
  "session",
  "eventId",
  "startsAt",
  "name",
  "lmsUserId",
  "status",
  "source",
  "notes",
  "reason",
];

async function* tableOf(app: ExportApp, courseId: string): AsyncGenerator<string> {
  let head = `${byteOrderMark}${csvLine(columns)}`;
  for await (const { session, eventId, startsAt, person, status, source, notes, reason } of listAttendance(
    app,
    courseId,
  )) {
    const starts = startsAt === null ? null : new Date(startsAt).toISOString();
    const who = [person?.name ?? null, person?.sub ?? null];
    yield head + csvLine([session, eventId, starts, ...who, status, source, notes, reason]);
    head = "";
  }
  if (head !== "") yield head;
}

type Change = (
  by: ConsoleApp & Visit["asOperator"],
  person: Person,
  field: Visit["field"],
) => Promise<unknown>;

/** What an office does on a person's page: excuses them, and joins their accounts. */
export function addOfficeRoutes(app: ConsoleApp, { action }: Pick<GatedRoutes, "action">): void {
  const route = (path: string, note: string, change: Change) => {
    action(`/people/:id/${path}`, async ({ part, field, goTo, asOperator }) => {
      const person = await findPerson(app, { personId: part("id") });
      await change({ ...app, ...asOperator }, person, field);
      goTo(`/admin/people/${person.id}`, note);
    });
  };
  route("excuse", "excused", (by, person, field) => {
    const typed = { from: field("from"), to: field("to"), reason: oneLine(field("reason")) };
    return excusePerson(by, person, typed);
  });
  route("take-back", "excuseTakenBack", (by, person, field) => takeBackExcuse(by, person, field("excuse")));
  route("join", "joined", (by, person, field) => joinEverywhere(by, person, field("sub")));
  route("separate", "separated", separateEverywhere);
}

/** An office's excuses of a person, and the accounts it joined with theirs. */
export async function officeView(app: ConsoleApp, t: Translate, person: Person) {
  const { id, registrationId } = person;
  const [excuses, joins] = await Promise.all([
    showExcuses(app, person),
    app.officeJoins.listOf(registrationId, [id]),
  ]);
  const others = await app.people.findMany(
    joins.map(({ personId, joinedTo }) => (personId === id ? joinedTo : personId)),
  );
  const now = joins.find(({ personId }) => personId === id)?.joinedTo ?? null;
  return {
    excuses: excuses.map(({ id: excuse, from, to, reason, by, effect }) => ({
      id: excuse,
      days: from === to ? from : `${from} – ${to}`,
      reason,
      by,
      effect:
        effect === null
          ? null
          : [
              t("office.excuses.effect", numbersOf(t, effect)),
              ...(effect.marked + effect.attended > 0
                ? [t("office.excuses.left", numbersOf(t, effect))]
                : []),
            ],
    })),
    accounts: others.map((other) => ({
      id: other.id,
      name: other.name ?? t("privacy.nameless"),
      sub: other.sub,
      label: t(other.id === now ? "office.join.now" : "office.join.earlier"),
    })),
    /** Whether this is an earlier account. */
    isJoined: now !== null,
    maxReasonLength,
  };
}

function numbersOf<Name extends string>(
  t: Translate,
  counts: Readonly<Record<Name, number>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries<number>(counts).map(([name, count]) => [name, numberText(t, count)]),
  );
}

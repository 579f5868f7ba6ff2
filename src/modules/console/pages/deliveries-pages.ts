import type { Router } from "express";
import { z } from "zod";
import { courseName } from "../../courses/rules/course.ts";
import type { Course } from "../../../domain/course.ts";
import { personName } from "../../../domain/person.ts";
import { listMails } from "../../mail/mails.ts";
import { type Mail, type MailState, mailStates } from "../../mail/rules/records.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Registration } from "../../../domain/registration.ts";
import { maxCount } from "../../operations/background-work.ts";
import {
  countDeliveries,
  type DeliveryFilter,
  listDeliveries,
  type ListedDelivery,
  sendScoreAgain,
  sendScoresAgain,
} from "../../operations/deliveries.ts";
import { whyText } from "../../grading/pages/grading-words.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, type OpenTo, type Visit } from "./gate.ts";
import { countText } from "./in-words.ts";
import { type ListContext, consoleList } from "./list.ts";
import { choices, lmsChoice, table } from "./list-view.ts";
import { addressWith, orNull, typedText } from "./requests.ts";

const states = ["refused", "waiting", "held", "delivered"] as const;
const shape = z.object({
  state: z.enum(states).catch("refused"),
  lms: typedText(),
  course: typedText(),
  reason: typedText(),
});
type DeliveryQuery = z.infer<typeof shape>;

/** Scores of all courses, which can be sent again. An LMS's administrators see its own. */
export function deliveriesPages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/deliveries",
    area: "deliveries",
    openTo: narrowed,
    read: (given, { within }) => queryOf(app, shape.parse(given), within),
    rows: async (context) => {
      const { t, query, cursor, visit } = context;
      const course = await courseOf(app, context);
      const registrations = visit.within === null ? await app.registrations.list() : [];
      const { rows, next } = await listDeliveries(app, filterOf(query, visit.within), cursor);
      const tables = [deliveriesTable(t, context, rows, { registrations, one: course !== null })];
      return { course, registrations, next, tables };
    },
    around: async (context, { course, registrations, next }) => {
      const { t, query, at, outcome, rest } = context;
      const sent = outcome("sent");
      const state = ["state", t("inbox.filter.state"), query.state] as const;
      return {
        lead: t("inbox.scores.lead"),
        done: sent === null ? null : { ...sentNote(t, sent), more: rest },
        chips: await chipsOf(app, context, course),
        filter: {
          fields: [
            choices(state, states, (one) => t(`inbox.scores.states.${one}`)),
            ...lmsChoice(t("inbox.filter.lms"), query.lms, registrations, t("inbox.any")),
            { name: "reason", label: t("inbox.filter.reason"), value: query.reason },
            { name: "course", label: t("inbox.scores.course"), value: query.course },
          ],
        },
        notes: [
          course === null
            ? null
            : {
                tone: "",
                text: t("label.value", { label: t("inbox.scores.ofCourse"), value: courseName(course) }),
                more: { text: t("inbox.scores.everyCourse"), link: at({ course: "" }) },
              },
        ],
        empty: t(next !== null ? "inbox.receipts.further" : "inbox.scores.none"),
        forAll: query.state !== "held",
      };
    },
    file: "scores",
    forAll: {
      path: "/deliveries/again",
      texts: (t) => ({
        offer: t("inbox.scores.all"),
        heading: t("inbox.again.heading"),
        what: t("inbox.again.what"),
        button: t("inbox.again.button"),
      }),
      found: (t, { atLeast, ...found }) => t(atLeast ? "inbox.again.atLeast" : "inbox.again.count", found),
      facts: (context) => factsOf(app, context),
      count: ({ query, cursor: from, visit: { within } }) =>
        countDeliveries(app, filterOf(query, within), { from }),
      run: async ({ query, cursor: from, visit: { by, within } }) => {
        const { sent, next } = await sendScoresAgain({ ...app, ...by }, filterOf(query, within), { from });
        return { outcome: { sent }, next };
      },
    },
  });
  const ofItsLms: OpenTo = async ({ part }) =>
    (await app.deliveries.findById(part("id")))?.registrationId ?? null;
  const { action } = gate.routes(ofItsLms, router);
  action("/deliveries/:id/again", async ({ part, by, within, request, response }) => {
    const sent = await sendScoreAgain({ ...app, ...by }, part("id"), within);
    const query = shape.parse(request.body);
    response.redirect(303, addressWith("/admin/deliveries", { ...query, sent: sent ? "1" : "0" }));
  });
  return router;
}

/** A course implies its LMS. */
async function queryOf(app: ConsoleApp, query: DeliveryQuery, within: string | null): Promise<DeliveryQuery> {
  if (within !== null || query.lms !== "" || query.course === "") return query;
  return { ...query, lms: (await app.courses.find(query.course))?.registrationId ?? "" };
}

/** Null also for a course of another LMS. */
async function courseOf(app: ConsoleApp, { query, visit: { within } }: ListContext<DeliveryQuery>) {
  const course = query.course === "" ? null : await app.courses.find(query.course);
  return course?.registrationId === (within ?? query.lms) ? course : null;
}

/** @param within Whatever was asked, nothing of another LMS is found. */
function filterOf({ state, lms, course, reason }: DeliveryQuery, within: string | null): DeliveryFilter {
  const registrationId = within ?? orNull(lms);
  return { state, registrationId, courseId: orNull(course), reason: orNull(reason) };
}

function sentNote(t: Translate, sent: number) {
  return sent > 0
    ? { tone: "good" as const, text: t("inbox.scores.sent", { count: sent }) }
    : { tone: "warning" as const, text: t("inbox.scores.nothingSent") };
}

/** Groups scores that are in their state for the same reason. */
function deliveriesTable(
  t: Translate,
  { query, at }: ListContext<DeliveryQuery>,
  rows: readonly ListedDelivery[],
  { registrations, one }: { registrations: readonly Registration[]; one: boolean },
) {
  return table(
    {
      label: t("console.areas.deliveries"),
      rows,
      cause: { head: t("console.spaces.why"), of: ({ delivery }) => whyText(t, delivery) },
    },
    ({ column, plain, act }) => [
      plain(t("inbox.filter.course"), ({ delivery: { courseId, registrationId }, course }) => [
        { text: course === null ? courseId : courseName(course), link: `/admin/courses/${courseId}` },
        nameOf(registrations, registrationId) || null,
        one
          ? null
          : { text: t("inbox.scores.only"), link: at({ lms: registrationId, course: courseId, reason: "" }) },
      ]),
      column(t("common.person"), ({ delivery, person }) => [
        person ?? { text: delivery.sub, code: true },
        person === null ? null : { text: delivery.sub, code: true },
      ]),
      column(t("inbox.scores.wanted"), ({ delivery: { desired, accepted } }) => [
        scoreText(t, desired),
        accepted === null ? null : t("inbox.scores.there", { score: scoreText(t, accepted) }),
      ]),
      plain(t("inbox.filter.reason"), ({ delivery: { state, nextTryAt }, reason }) => [
        reason === null ? null : { text: reason, code: true, link: at({ reason }) },
        { label: t(state === "waiting" ? "inbox.scores.next" : "inbox.scores.last"), at: nextTryAt },
      ]),
      act(t("inbox.scores.act"), ({ delivery: { id, state, sub } }) =>
        state === "held"
          ? { text: t("inbox.scores.held"), quiet: true }
          : {
              action: `/admin/deliveries/${id}/again`,
              fields: query,
              buttons: [
                { text: t("inbox.scores.again"), label: t("inbox.scores.againThis", { person: sub }) },
              ],
            },
      ),
    ],
  );
}

/** Counts of the course, or of all LMSs, which only operators see. */
function chipsOf(
  { deliveries }: ConsoleApp,
  { t, query, at, visit: { within } }: ListContext<DeliveryQuery>,
  course: Course | null,
) {
  const isPart = query.course !== "" || query.lms !== "" || within !== null;
  const own =
    course === null
      ? null
      : deliveries.countOfCourse({ registrationId: course.registrationId, courseId: course.id });
  const countOf = async (state: DeliveryQuery["state"]) => {
    const counts = await own;
    if (counts !== null) return numberText(t, state === "held" ? counts.held + counts.left : counts[state]);
    return isPart ? null : countText(t, await deliveries.countUpTo(state, maxCount + 1));
  };
  return Promise.all(
    states.map(async (state) => ({
      text: t(`inbox.scores.states.${state}`),
      count: await countOf(state),
      link: at({ reason: "", state }),
      current: state === query.state,
    })),
  );
}

async function factsOf(app: ConsoleApp, context: ListContext<DeliveryQuery>) {
  const { t, query, visit } = context;
  const course = await courseOf(app, context);
  return [
    { name: t("inbox.filter.state"), value: t(`inbox.scores.states.${query.state}`) },
    { name: t("inbox.filter.lms"), value: nameOf(await app.registrations.list(), visit.within ?? query.lms) },
    { name: t("inbox.filter.course"), value: course === null ? query.course : courseName(course) },
    { name: t("inbox.filter.reason"), value: query.reason },
  ];
}

function nameOf(registrations: readonly Registration[], id: string): string {
  return registrations.find((one) => one.id === id)?.name ?? "";
}

function scoreText(t: Visit["t"], score: { score: number | null; maximum: number } | null): string {
  if (score === null || score.score === null) return "–";
  return `${numberText(t, score.score)}\u00a0/\u00a0${numberText(t, score.maximum)}`;
}

const mailQueryShape = z.object({ state: z.enum(["", ...mailStates]).catch("") });

const mailTones: Readonly<Record<MailState, Tone>> = {
  ...({ waiting: "info", sending: "info", sent: "good", unneeded: "none" } as const),
  ...({ refused: "bad", failed: "bad", unknown: "bad" } as const),
};

/** Mails: recipient, subject and outcome. An LMS's administrators see its own. */
export function mailsPages(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    path: "/mails",
    area: "mails",
    openTo: narrowed,
    read: (given) => mailQueryShape.parse(given),
    rows: async ({ t, query, cursor, visit: { within } }) => {
      const filter = { registrationId: within, state: orNull(query.state) };
      const { mails, olderThan: next } = await listMails(app, filter, cursor);
      const [people, courses] = await Promise.all([
        app.people.findMany(idsOf(mails, "personId")),
        app.courses.listMany(idsOf(mails, "courseId")),
      ]);
      const names = new Map(people.map((one) => [one.id, personName(one)]));
      const titles = new Map(courses.map(({ course }) => [course.id, courseName(course)]));
      return {
        next,
        tables: [
          table({ label: t("console.areas.mails"), rows: mails }, ({ plain }) => [
            plain(
              t("mail.log.to"),
              // A name, never an address.
              ({ personId }) => [
                personId === null ? t("mail.log.operator") : (names.get(personId) ?? t("mail.log.nobody")),
                personId === null || !names.has(personId) ? null : { text: personId, code: true },
              ],
            ),
            plain(t("mail.log.what"), ({ kind, courseId }) => [
              t(`mail.log.kinds.${kind}`),
              courseId === null
                ? null
                : { text: titles.get(courseId) ?? courseId, link: `/admin/courses/${courseId}` },
            ]),
            plain(t("common.when"), ({ createdAt }) => ({ at: createdAt })),
            plain(t("common.state"), ({ state, reply }) => [
              { text: t(`mail.log.states.${state}`), pill: mailTones[state] },
              state === "sent" || reply === null ? null : (t.dynamic(`mail.log.replies.${reply}`) ?? reply),
            ]),
          ]),
        ],
      };
    },
    around: ({ t, query, at }) => ({
      lead: t("mail.log.lead"),
      notes: [app.config.mail === null ? { tone: "wait", text: t("mail.log.off") } : null],
      chips: (["", ...mailStates] as const).map((state) => ({
        text: t(state === "" ? "common.all" : `mail.log.states.${state}`),
        link: at({ state }),
        current: state === query.state,
      })),
      empty: t("mail.log.none"),
    }),
  });
}

function idsOf(mails: readonly Mail[], field: "personId" | "courseId"): string[] {
  return [...new Set(mails.flatMap((one) => one[field] ?? []))];
}

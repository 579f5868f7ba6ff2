import { Router } from "express";
import { z } from "zod";
import { courseName } from "../../courses/rules/course.ts";
import type { Course } from "../../../domain/course.ts";
import type { Registration } from "../../../domain/registration.ts";
import {
  countDeliveries,
  type DeliveryFilter,
  listDeliveries,
  type ListedDelivery,
  sendScoreAgain,
  sendScoresAgain,
} from "../../operations/deliveries.ts";
import { whyText } from "../../grading/pages/score-words.ts";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, type OpenTo, type Visit } from "./gate.ts";
import { addressWith, placeIn } from "./fields.ts";
import { countText } from "./in-words.ts";
import type { ConsoleFrame } from "./partials.ts";
import { cutTo } from "../../../kernel/text.ts";

export type DeliveriesPage = ConsoleFrame & {
  query: DeliveryQuery;
  /** To choose from; none for an LMS's administrators. */
  registrations: readonly Pick<Registration, "id" | "name">[];
  /** Whether this is the first page, and where that and the next one are. */
  first: boolean;
  firstPage: string;
  next: string | null;
  /** Asks before all are sent again. */
  confirm: string;
  only: { id: string; name: string } | null;
  allCourses: string;
  /** `count`: null where it would not be of what is asked for. */
  states: { state: DeliveryQuery["state"]; count: string | null; link: string }[];
  rows: (ListedDelivery & { lms: string; why: string | null; wanted: string; accepted: string })[];
  /** How many were just sent again, and where to continue. */
  sent: number | null;
  goOn: string | null;
};

export type DeliveriesAgainPage = ConsoleFrame & {
  query: DeliveryQuery;
  /** A page cursor; empty at the beginning. */
  place: string;
  matched: number;
  number: string;
  goOn: string | null;
  asked: { name: string; value: string }[];
  back: string;
};

const deliveriesPage = defineView<DeliveriesPage>("admin/deliveries");
const deliveriesAgainPage = defineView<DeliveriesAgainPage>("admin/deliveries-again");

const states = ["refused", "waiting", "held", "delivered"] as const;
// Cut, not left out: what is too long finds nothing, instead of everything.
const text = z
  .string()
  .catch("")
  .transform((typed) => cutTo(typed.trim(), 200));
const shape = z.object({
  state: z.enum(states).catch("refused"),
  lms: text,
  course: text,
  reason: text,
});
type DeliveryQuery = z.infer<typeof shape>;

const maxCount = 10_001;

/** Over all courses, and sending them again; an LMS's administrators see its own. */
export function deliveriesPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/deliveries",
    gate.page((visit) => showList(deps, visit), narrowed),
  );
  router.get(
    "/deliveries/again",
    gate.page((visit) => askWhether(deps, visit), narrowed),
  );
  router.post(
    "/deliveries/again",
    gate.action(async (visit) => {
      const { query } = await askedOf(deps, visit.request.body, visit.within);
      const from = placeIn(visit.request.body);
      const filter = filterOf(query, visit.within);
      const { sent, next } = await sendScoresAgain({ ...deps, ...visit.by }, filter, { from });
      const outcome = { sent: String(sent), rest: next ?? "" };
      visit.response.redirect(303, addressWith("/admin/deliveries", { ...query, ...outcome }));
    }, narrowed),
  );
  const ofItsLms: OpenTo = async ({ part }) =>
    (await deps.deliveries.findById(part("id")))?.registrationId ?? null;
  router.post(
    "/deliveries/:id/again",
    gate.action(async (visit) => {
      const sent = await sendScoreAgain({ ...deps, ...visit.by }, visit.part("id"), visit.within);
      const query = queryOf(visit.request.body);
      visit.response.redirect(303, addressWith("/admin/deliveries", { ...query, sent: sent ? "1" : "0" }));
    }, ofItsLms),
  );
  return router;
}

function queryOf(given: unknown): DeliveryQuery {
  return shape.parse(typeof given === "object" && given !== null ? given : {});
}

/** The query, and its course when known. A course implies its LMS. @param within Hides courses of other LMSs. */
async function askedOf(
  { courses }: Pick<ConsoleApp, "courses">,
  given: unknown,
  within: string | null,
): Promise<{ query: DeliveryQuery; course: Course | null }> {
  const query = queryOf(given);
  const course = query.course === "" ? null : await courses.find(query.course);
  const lms = within ?? (query.lms === "" ? course?.registrationId : query.lms);
  if (course === null || course.registrationId !== lms) return { query, course: null };
  return { query: within === null ? { ...query, lms } : query, course };
}

/** @param within Whatever was asked, nothing of another LMS. */
function filterOf({ state, lms, course, reason }: DeliveryQuery, within: string | null): DeliveryFilter {
  const orNull = (one: string) => (one === "" ? null : one);
  const registrationId = within ?? orNull(lms);
  return { state, registrationId, courseId: orNull(course), reason: orNull(reason) };
}

async function showList(deps: ConsoleApp, { request, show, t, within }: Visit): Promise<void> {
  const { query, course } = await askedOf(deps, request.query, within);
  const { after, sent, rest } = request.query;
  const registrations = within === null ? await deps.registrations.list() : [];
  const { rows, next } = await listDeliveries(
    deps,
    filterOf(query, within),
    typeof after === "string" ? after : null,
  );
  show({
    view: deliveriesPage,
    title: t("console.areas.deliveries"),
    area: "deliveries",
    model: {
      query,
      registrations,
      first: after === undefined,
      firstPage: addressWith("/admin/deliveries", query),
      next: next === null ? null : addressWith("/admin/deliveries", { ...query, after: next }),
      confirm: addressWith("/admin/deliveries/again", query),
      only: course === null ? null : { id: course.id, name: courseName(course) },
      allCourses: addressWith("/admin/deliveries", { ...query, course: "" }),
      states: await statesWithCounts(deps, t, query, { within, course }),
      rows: rows.map((row) => ({
        ...row,
        lms: nameOf(registrations, row.delivery.registrationId),
        why: whyText(t, row.delivery),
        wanted: scoreText(t, row.delivery.desired),
        accepted: scoreText(t, row.delivery.accepted),
      })),
      sent: typeof sent === "string" && /^\d{1,9}$/.test(sent) ? Number(sent) : null,
      goOn: typeof rest === "string" && rest !== "" ? againLink(query, rest) : null,
    },
  });
}

function againLink(query: DeliveryQuery, place: string): string {
  return addressWith("/admin/deliveries/again", { ...query, place });
}

/** Of the course, or of all LMSs; the latter for operators only. */
async function statesWithCounts(
  { deliveries }: ConsoleApp,
  t: Visit["t"],
  query: DeliveryQuery,
  { within, course }: { within: string | null; course: Course | null },
) {
  const { registrationId = "", id: courseId = "" } = course ?? {};
  const own = course === null ? null : await deliveries.countOfCourse({ registrationId, courseId });
  const isPart = own === null && (query.course !== "" || query.lms !== "" || within !== null);
  return Promise.all(
    states.map(async (state) => ({
      state,
      count:
        own !== null
          ? numberText(t, state === "held" ? own.held + own.left : own[state])
          : isPart
            ? null
            : countText(t, await deliveries.countUpTo(state, maxCount)),
      link: addressWith("/admin/deliveries", { ...query, reason: "", state }),
    })),
  );
}

async function askWhether(deps: ConsoleApp, { request, show, t, within }: Visit): Promise<void> {
  const { query, course } = await askedOf(deps, request.query, within);
  const from = placeIn(request.query);
  const { matched, next } = await countDeliveries(deps, filterOf(query, within), { from });
  const lms = nameOf(await deps.registrations.list(), within ?? query.lms);
  show({
    view: deliveriesAgainPage,
    title: t("inbox.again.heading"),
    area: "deliveries",
    model: {
      query,
      place: from ?? "",
      matched,
      goOn: next === null ? null : againLink(query, next),
      number: numberText(t, matched),
      asked: [
        { name: t("inbox.filter.state"), value: t(`inbox.scores.states.${query.state}`) },
        { name: t("inbox.filter.lms"), value: lms },
        { name: t("inbox.filter.course"), value: course === null ? query.course : courseName(course) },
        { name: t("inbox.filter.reason"), value: query.reason },
      ].filter(({ value }) => value !== ""),
      back: addressWith("/admin/deliveries", query),
    },
  });
}

function nameOf(registrations: readonly Registration[], id: string): string {
  return registrations.find((one) => one.id === id)?.name ?? "";
}

function scoreText(t: Visit["t"], score: { score: number | null; maximum: number } | null): string {
  if (score === null || score.score === null) return "–";
  return `${numberText(t, score.score)} / ${numberText(t, score.maximum)}`;
}

import type { Router } from "express";
import { courseName } from "../../courses/rules/course.ts";
import { type ConsoleFindings, maxFound, searchConsole } from "../../operations/search-console.ts";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import { addressWith } from "./requests.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, type Visit } from "./gate.ts";
import { nameOfAccount } from "./in-words.ts";
import type { ConsoleFrame } from "./partials.ts";
import { cutTo } from "../../../kernel/text.ts";

/** `typed`: null before something was typed. */
export type SearchPage = ConsoleFrame & { typed: string | null; found: Awaited<ReturnType<typeof groupsOf>> };

const searchPage = defineView<SearchPage>("admin/search");

/** The search field in the frame. Readers and an LMS's administrators find only what they may see. */
export function searchPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page } = gate.routes(narrowed);
  page("/search", (visit) => showFound(visit, null, []));
  // Posted, so no address, and no log of addresses, contains a name.
  router.post(
    "/search",
    gate.action(
      async (visit) => {
        const typed = cutTo(visit.field("q").trim(), 500);
        const found = await searchConsole(app, { typed, within: visit.within });
        showFound(visit, typed, await groupsOf(app, visit, found));
      },
      narrowed,
      "readers",
    ),
  );
  return router;
}

function showFound({ show, t }: Visit, typed: string | null, found: SearchPage["found"]): void {
  show({ view: searchPage, title: t("console.search.heading"), area: null, model: { typed, found } });
}

async function groupsOf(app: ConsoleApp, { t }: Visit, found: ConsoleFindings) {
  const names = new Map((await app.registrations.list()).map(({ id, name }) => [id, name]));
  const lms = (id: string) => names.get(id) ?? "";
  /** `sub`: shown next to the name. */
  const hits: Record<(typeof kinds)[number], readonly { link: string; name: string; sub: string }[]> = {
    registrations: found.registrations.map(({ id, name, issuer }) => ({
      link: `/admin/registrations/${id}`,
      name,
      sub: issuer,
    })),
    accounts: found.accounts.map(({ id }) => ({
      link: `/admin/accounts/${id}`,
      name: nameOfAccount(t, app.accounts, id),
      sub: id,
    })),
    courses: found.courses.map(({ course, lms: name }) => ({
      link: `/admin/courses/${course.id}`,
      name: courseName(course),
      sub: name,
    })),
    people: found.people.map(({ id, name, registrationId }) => ({
      link: `/admin/people/${id}`,
      name: name ?? t("privacy.nameless"),
      sub: lms(registrationId),
    })),
    launches: found.launches.map(({ registrationId, code }) => ({
      link: addressWith("/admin/launches", { lms: registrationId }),
      name: names.get(registrationId) ?? t("console.launches.unregistered"),
      sub: code,
    })),
    actions: found.actions.map(({ id, what, on, registrationId }) => ({
      // The page of the log that begins with this entry.
      link: addressWith("/admin/audit", { cursor: `${id}~` }),
      name: t(`console.audit.what.${what}`),
      sub: on === "" ? lms(registrationId ?? "") : on,
    })),
    receipts: found.receipts.map(({ id, state }) => ({
      link: `/admin/receipts/${id}`,
      name: id,
      sub: t(`inbox.states.${state}`),
    })),
    scores: found.scores.map(({ id, courseId, registrationId, state }) => ({
      link: addressWith("/admin/deliveries", {
        state: listedState(state),
        lms: registrationId,
        course: courseId,
      }),
      name: id,
      sub: lms(registrationId),
    })),
    erasures: found.erasures.map(({ id, label }) => ({
      link: `/admin/erasures/${id}`,
      name: id,
      sub: label ?? "",
    })),
  };
  return kinds.flatMap((kind) =>
    hits[kind].length === 0
      ? []
      : [
          {
            kind,
            hits: hits[kind],
            /** The limit, if there are more than these, otherwise null. */
            limit: found.more.some((one) => one === kind) ? numberText(t, maxFound) : null,
          },
        ],
  );
}

/** No list has scores with nothing to send. */
function listedState(state: string): string {
  return state === "idle" ? "" : state;
}

/** In the order of the page. */
const kinds = [
  "people",
  "courses",
  "registrations",
  "accounts",
  "launches",
  "actions",
  "receipts",
  "scores",
  "erasures",
] as const;

import { Router } from "express";
import {
  answerSpaceRequest,
  approveSpace,
  closeSpace,
  type ListedRequest,
  type ListedRight,
  listSpaces,
  withdrawSpace,
} from "../../spaces/decide-spaces.ts";
import { unknownCourse } from "../../privacy/erase.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import { chosen } from "./form-field.ts";
import { type Gate, narrowed, type OpenTo, type Visit } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

/** Spaces that this tool did not make for a course. */
export type SpacesPage = ConsoleFrame & {
  requests: ListedRequest[];
  /** `how`: by which right. */
  given: (ListedRight & { how: string })[];
  closed: { spaceId: string; closedAt: number | null }[];
  note: (typeof notes)[number] | null;
  good: boolean;
};

const spacesPage = defineView<SpacesPage>("admin/spaces");

const here = "/admin/spaces";
/** Messages under `console.spaces.notes`, shown once. */
const notes = [
  "approved",
  "refused",
  "late",
  "operator",
  "closed",
  "ownOnly",
  "withdrawn",
  "closedNow",
] as const;

/** Spaces that this tool did not make for a course: who wants which, who has which, and what is closed. */
export function spacesPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  const ofRequest: OpenTo = async ({ part }) =>
    (await deps.spaceRequests.find(part("id")))?.registrationId ?? null;
  const ofCourse: OpenTo = async ({ part }) => (await deps.courses.find(part("id")))?.registrationId ?? null;
  router.get(
    "/spaces",
    gate.page((visit) => show(deps, visit), narrowed),
  );
  router.post(
    "/spaces/requests/:id",
    gate.action(async ({ part, field, by, within, goTo }) => {
      const answer = chosen(field("answer"), ["approve", "refuse"] as const);
      goTo(here, await answerSpaceRequest({ ...deps, ...by }, part("id"), answer, within));
    }, ofRequest),
  );
  router.post(
    "/courses/:id/spaces",
    gate.action(async ({ part, field, by, within, goTo }) => {
      const what = chosen(field("what"), ["approve", "withdraw"] as const);
      const course = await deps.courses.find(part("id"));
      if (course === null) throw unknownCourse();
      const as = { ...deps, ...by };
      if (what === "approve") goTo(here, await approveSpace(as, course, field("space"), within));
      else goTo(here, (await withdrawSpace(as, course, field("space"))) ? "withdrawn" : "late");
    }, ofCourse),
  );
  router.post(
    "/spaces/close",
    gate.action(async ({ field, by, goTo }) => {
      const environment = chosen(field("environment"), deps.accounts.ids());
      await closeSpace({ ...deps, ...by }, { environment, spaceId: field("space") });
      goTo(here, "closedNow");
    }),
  );
  return router;
}

async function show(deps: ConsoleApp, { request, show: render, t, within }: Visit): Promise<void> {
  const { requests, given, closed } = await listSpaces(deps, within);
  const note = notes.find((one) => one === request.query["note"]) ?? null;
  render({
    view: spacesPage,
    title: t("console.spaces.heading"),
    area: "spaces",
    model: {
      requests,
      given: given.map((right) => ({ ...right, how: howText(t, right) })),
      closed: closed.map(({ spaceId, closed }) => ({ spaceId, closedAt: closed?.at ?? null })),
      note,
      good: note === "approved" || note === "withdrawn" || note === "refused" || note === "closedNow",
    },
  });
}

function howText(t: Visit["t"], { way, decidedBy, through }: ListedRight): string {
  if (way === "approved") return t(`console.spaces.ways.${decidedBy ?? "operator"}`);
  return through === null
    ? t("console.spaces.ways.provenGone")
    : t("console.spaces.ways.proven", { course: through });
}

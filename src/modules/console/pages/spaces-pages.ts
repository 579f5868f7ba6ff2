import { Router } from "express";
import type { Course } from "../../../domain/course.ts";
import {
  answerSpaceRequest,
  approveSpace,
  closeSpace,
  type DecideSpacesDeps,
  withdrawSpace,
} from "../../spaces/decide-spaces.ts";
import { listSpaces, type ListSpacesDeps } from "../../spaces/list-spaces.ts";
import { unknownCourse } from "../../privacy/erase-course.ts";
import type { SpaceRequestStore } from "../../spaces/store/space-request-store.ts";
import { chosen } from "./form-field.ts";
import { type Gate, narrowed, type OpenTo, type Visit } from "./gate.ts";

export type SpacesPagesDeps = DecideSpacesDeps &
  ListSpacesDeps & {
    spaceRequests: Pick<SpaceRequestStore, "find">;
    environments: readonly Course["environment"][];
  };

const here = "/admin/spaces";
/** What a page says once after something was done; each is a message under `console.spaces.notes`. */
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
export function spacesPages(deps: SpacesPagesDeps, gate: Gate): Router {
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
      const environment = chosen(field("environment"), deps.environments);
      await closeSpace({ ...deps, ...by }, { environment, spaceId: field("space") });
      goTo(here, "closedNow");
    }),
  );
  return router;
}

async function show(deps: SpacesPagesDeps, { request, show: render, t, within }: Visit): Promise<void> {
  const { requests, given, closed } = await listSpaces(deps, within);
  const note = notes.find((one) => one === request.query["note"]) ?? null;
  render({
    view: "spaces",
    title: t("console.spaces.heading"),
    area: "spaces",
    values: {
      requests,
      given: given.map((right) => ({ ...right, how: howText(t, right) })),
      closed,
      note,
      good: note === "approved" || note === "withdrawn" || note === "refused" || note === "closedNow",
    },
  });
}

function howText(
  t: Visit["t"],
  { way, decidedBy, through }: Awaited<ReturnType<typeof listSpaces>>["given"][number],
): string {
  if (way === "approved") return t(`console.spaces.ways.${decidedBy ?? "operator"}`);
  if (way === "proven")
    return through === null
      ? t("console.spaces.ways.provenGone")
      : t("console.spaces.ways.proven", { course: through });
  return t("console.spaces.ways.before");
}

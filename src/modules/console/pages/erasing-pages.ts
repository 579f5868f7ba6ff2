import { Router } from "express";
import { courseName } from "../../courses/rules/course-name.ts";
import { confirmTyped, eraseCourse, uninstallRegistration, unknownCourse } from "../../privacy/erase.ts";
import { exportCourse, listAttendance, type ListAttendanceDeps } from "../../privacy/export.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { Erasure } from "../../privacy/rules/erasure.ts";
import { byteOrderMark, csvLine } from "../../../web/table-file.ts";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate, Visit } from "./gate.ts";
import { heldWords } from "./held-words.ts";
import { sendFile } from "./send-file.ts";
import type { ConsoleFrame, HeldTable } from "./partials.ts";

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

async function* tableOf(deps: ListAttendanceDeps, courseId: string): AsyncGenerator<string> {
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

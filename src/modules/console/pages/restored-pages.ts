import { Router } from "express";
import { maxRestored, recountRestored } from "../../operations/recount-restored.ts";
import { numberText } from "../../../web/number-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

/** `more`: that there may be more courses. */
export type RestoredPage = ConsoleFrame & {
  rows: { id: string; name: string; since: number; scores: string; lines: string[] }[];
  more: string | null;
};

const restoredPage = defineView<RestoredPage>("admin/restored");

/** How the courses' scores stand against their gradebooks after the database was restored. */
export function restoredPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/restored",
    gate.page(async ({ show, t }) => {
      const open = (await recountRestored(deps)).filter(({ waiting, differing }) => waiting + differing > 0);
      const courses = new Map(
        (await deps.courses.listMany(open.map(({ courseId }) => courseId))).map((one) => [
          one.course.id,
          one,
        ]),
      );
      show({
        view: restoredPage,
        title: t("restored.consoleHeading"),
        area: "alarms",
        model: {
          rows: open.map((row) => {
            const course = courses.get(row.courseId)?.course;
            return {
              id: row.courseId,
              name: course === undefined ? row.courseId : course.title || course.label || course.contextId,
              since: row.restoredAt,
              scores: numberText(t, row.scores),
              lines: [
                ...(row.waiting === 0
                  ? []
                  : [t("restored.stillToCompare", { number: numberText(t, row.waiting) })]),
                ...(row.differing === 0
                  ? []
                  : [t("restored.different", { number: numberText(t, row.differing) })]),
                ...(row.unread === 0 ? [] : [t("restored.unread", { number: numberText(t, row.unread) })]),
              ],
            };
          }),
          more:
            open.length === maxRestored ? t("restored.more", { number: numberText(t, maxRestored) }) : null,
        },
      });
    }),
  );
  return router;
}

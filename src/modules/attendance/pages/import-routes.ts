import type { Router } from "express";
import { z } from "zod";
import { refusal } from "../../../kernel/refusal.ts";
import { coursePages, type ReadPage } from "../../../web/course-pages.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { saveMarks } from "../compare-marks.ts";
import type { AttendanceMark } from "../rules/attendance-mark.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { readCarried, readImport } from "./import-form.ts";
import { importDifferencePage, importPage } from "./import-page.ts";
import { maxNoteLength } from "./register-form.ts";

/** `missed`: marks whose record had changed. `underWay`: marks that are still being saved. */
export const importNews = z.object({ saved: z.number(), missed: z.number(), underWay: z.number() });
export type ImportNews = z.infer<typeof importNews>;

const path = "/course/grid/import";

/** For instructors: marks from a spreadsheet, which they see as a difference before it is saved. @param grid Where saving leads. */
export function importRoutes(app: AttendanceApp, grid: ReadPage<ImportNews>): Router {
  const pages = coursePages(app);
  // A table in a form is longer than in its file.
  const form = { maxBytes: 5 * 1024 * 1024 };
  const typing = { who: "corrections", fields: readImport, form } as const;
  const shown = pages.read(path, { ...typing, isForm: true, address: () => ({}) }, ({ visit, typed }) =>
    importPage(app, visit, typed === null ? null : readImport(typed.posted)),
  );
  pages.typed(`${path}/difference`, { ...typing, typedAt: path }, ({ visit, fields, typed }) =>
    importDifferencePage(app, visit, fields, typed !== null),
  );
  // A table that is too long to be kept with the session comes along, and no address can lead to it.
  pages.change(`${path}/edit`, typing, async ({ visit, fields }) =>
    fields.table === "" ? shown.after({}, null) : importPage(app, visit, fields),
  );
  pages.change(
    `${path}/save`,
    {
      who: "corrections",
      fields: (posted) => ({ changes: readCarried(posted), ...readImport(posted) }),
      form,
    },
    async ({ visit, fields: { changes, reason } }) => {
      const { course, session } = visit;
      if (changes === null || reason.length > maxNoteLength) throw refusal("bad-request", { status: 400 });
      const why = reason === "" ? null : reason;
      const marks = await saveMarks(app, course, session.personId, { changes, reason: why });
      await app.sessions.typed.drop(session, path);
      return grid.after({}, newsOf(marks));
    },
  );
  return pages.router;
}

function newsOf(marks: readonly AttendanceMark[]): ImportNews {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const begun = marks.filter(({ state }) => state !== "facts");
  return {
    saved: sum(begun.map(({ written }) => written)),
    missed: sum(begun.map(({ missed }) => missed.length)),
    underWay: sum(marks.filter(({ state }) => state === "facts").map(({ rows }) => rows.length)),
  };
}

export function importNewsText(t: Translate, { saved, missed, underWay }: ImportNews): string {
  const counted = (count: number) => ({ count, number: numberText(t, count) });
  return [
    t("grid.import.saved", counted(saved)),
    ...(underWay === 0 ? [] : [t("grid.import.underWay", counted(underWay))]),
    ...(missed === 0 ? [] : [t("grid.import.missed", counted(missed))]),
  ].join(" ");
}

import { Router } from "express";
import { z } from "zod";
import { showGridCell } from "../show-grid-cell.ts";
import { personName } from "../../../domain/person-name.ts";
import { coursePages } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { readNews } from "../../../web/page-news.ts";
import { statusView } from "../../../web/page-text.ts";
import { tableForms } from "../../../web/table-file.ts";
import type { Translate } from "../../../web/translate.ts";
import { readDays } from "../../scheduling/rules/day-range.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { gridCellPage } from "./grid-cell-page.ts";
import { gridFile } from "./grid-files.ts";
import { filterFields, type PressedCell, readGridFilter, readPressed } from "./grid-form.ts";
import { gridPage } from "./grid-page.ts";
import { gridPrintPage } from "./grid-print-page.ts";
import { correctAsPosted } from "./learner-correction.ts";
import { importNews, importNewsText, importRoutes } from "./import-routes.ts";
import { readRegister } from "./register-form.ts";
import { readTap, tapAnswer } from "./tap-answer.ts";

/** What was saved. */
const gridNews = z.union([z.literal("cell"), importNews]);

const fields = (posted: unknown) => ({ filter: readGridFilter(posted), pressed: readPressed(posted) });
const marked = (posted: unknown) => ({ ...fields(posted), mark: readRegister(posted) });

/** For instructors. Without a script, a cell is a page of its own; with one, a tap on it may mark. */
export function gridRoutes(app: AttendanceApp): Router {
  const pages = coursePages(app);
  // The table is sent with the ids of its rows and columns.
  const form = { maxBytes: 256 * 1024 };
  const reading = { who: "grades", fields, form } as const;
  const address = ({ filter, pressed }: ReturnType<typeof fields>) => gridFields(filter, pressed);
  const small = { maxBytes: 16 * 1024 };
  const marking = { who: "corrections", fields: marked, form } as const;

  const grid = pages.read(
    "/course/grid",
    { ...reading, news: readNews(gridNews), address },
    async ({ visit, fields: { filter, pressed }, t }, news) => {
      const focus = pressed.eventId === "" ? null : pressed;
      const said =
        news === null || news === "cell"
          ? news && (await aboutCell(app, visit, t, pressed))
          : importNewsText(t, news);
      return gridPage(app, visit, { filter, focus }, said);
    },
  );
  pages.read("/course/grid/cell", { ...reading, address }, ({ visit, fields: wanted }) =>
    gridCellPage(app, visit, wanted, null),
  );
  pages.change("/course/grid/cell/save", marking, async ({ visit, fields: { mark, ...wanted } }) => {
    const { filter, pressed } = wanted;
    const refused = await correctAsPosted(app, visit, pressed.personId, mark);
    if (refused !== null) return gridCellPage(app, visit, wanted, refused);
    return grid.after(gridFields(filter, pressed), "cell");
  });
  pages.change(
    "/course/register/mark",
    { who: "corrections", fields: readTap, form: small },
    ({ visit, fields: tap }) => tapAnswer(app, visit, tap),
  );
  const taking = {
    ...reading,
    fields: (posted: unknown) => ({ filter: readGridFilter(posted), days: readDays(posted) }),
  };
  for (const kind of tableForms) {
    pages.read(`/course/grid.${kind}`, taking, ({ visit, fields: wanted }) =>
      gridFile(app, visit, wanted, kind),
    );
  }
  pages.read("/course/grid/print", taking, ({ visit, fields: wanted }) => gridPrintPage(app, visit, wanted));
  const router = Router();
  router.use(pages.router, importRoutes(app, grid));
  return router;
}

function gridFields(filter: Parameters<typeof filterFields>[0], { eventId, personId }: PressedCell) {
  return { ...filterFields(filter), event: eventId, person: personId };
}

async function aboutCell(
  app: AttendanceApp,
  { course }: InstructorVisit,
  t: Translate,
  pressed: PressedCell,
): Promise<string> {
  const { person, member, session, row } = await showGridCell(app, course, pressed);
  return t("grid.saved.cell", {
    name: personName(person, member?.role ?? "learner"),
    session: session.title ?? t("review.untitled"),
    status: row.current === null ? t("grid.cell.blank") : statusView(t, row.current.status).text,
  });
}

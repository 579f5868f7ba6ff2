import type { Router } from "express";
import { z } from "zod";
import { markSession } from "../mark-session.ts";
import { showGridCell } from "../show-grid-cell.ts";
import { personName } from "../../../domain/person-name.ts";
import { coursePages } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { readNews } from "../../../web/page-news.ts";
import { numberText } from "../../../web/number-text.ts";
import { statusView } from "../../../web/status-view.ts";
import type { Translate } from "../../../web/translate.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { gridCellPage } from "./grid-cell-page.ts";
import { gridFile } from "./grid-files.ts";
import { filterFields, type PressedCell, readGridFilter, readPressed } from "./grid-form.ts";
import { gridPage } from "./grid-page.ts";
import { gridSessionPage } from "./grid-session-page.ts";
import { correctAsPosted } from "./learner-correction.ts";
import { readRegister, wantedOf } from "./register-form.ts";

/** What was saved. `goesOn`: the rest of the class is marked without anybody waiting for it. */
const gridNews = z.union([
  z.object({ kind: z.literal("cell") }),
  z.object({ kind: z.literal("session"), learners: z.number(), goesOn: z.boolean() }),
]);
type GridNews = z.infer<typeof gridNews>;

const fields = (posted: unknown) => ({ filter: readGridFilter(posted), pressed: readPressed(posted) });
const marked = (posted: unknown) => ({ ...fields(posted), mark: readRegister(posted) });

/** For instructors. Without a script, a cell and a session are pages of their own. */
export function gridRoutes(app: AttendanceApp): Router {
  const pages = coursePages(app);
  // The table is sent with the ids of its rows and columns.
  const form = { limit: "256kb", parameterLimit: 1_000 };
  const reading = { who: "grades", fields, form } as const;
  const address = ({ filter, pressed }: ReturnType<typeof fields>) => gridFields(filter, pressed);
  const marking = { who: "corrections", fields: marked, form } as const;

  const grid = pages.read(
    "/course/grid",
    { ...reading, news: readNews(gridNews), address },
    async ({ visit, fields: { filter, pressed }, t }, news) => {
      const focus = pressed.eventId === "" ? null : pressed;
      const about = news === null ? null : await aboutNews(app, visit, t, pressed, news);
      return gridPage(app, visit, { filter, focus }, about);
    },
  );
  pages.read("/course/grid/cell", { ...reading, address }, ({ visit, fields: wanted }) =>
    gridCellPage(app, visit, wanted, null),
  );
  pages.change("/course/grid/cell/save", marking, async ({ visit, fields: { mark, ...wanted } }) => {
    const { filter, pressed } = wanted;
    const refused = await correctAsPosted(app, visit, pressed.personId, mark);
    if (refused !== null) return gridCellPage(app, visit, wanted, refused);
    return grid.after(gridFields(filter, pressed), { kind: "cell" });
  });
  pages.read("/course/grid/session", { ...reading, address }, ({ visit, fields: { filter, pressed } }) =>
    gridSessionPage(app, visit, { filter, eventId: pressed.eventId }, null),
  );
  pages.change(
    "/course/grid/session/save",
    marking,
    async ({ visit, fields: { filter, pressed, mark: posted } }) => {
      const { eventId } = pressed;
      const wanted = wantedOf(posted);
      if (wanted.kind === "refused") return gridSessionPage(app, visit, { filter, eventId }, posted);
      const { everybody, reason } = wanted;
      const mark = { eventId, rows: [], everybody, reason };
      const done = await markSession(app, visit.course, visit.session.personId, mark);
      const news = {
        kind: "session",
        learners: done.writtenInClass,
        goesOn: done.state === "facts",
      } as const;
      return grid.after(gridFields(filter, { eventId, personId: "" }), news);
    },
  );
  pages.read("/course/grid.csv", reading, ({ visit, fields: { filter } }) => gridFile(app, visit, filter));
  return pages.router;
}

function gridFields(filter: Parameters<typeof filterFields>[0], { eventId, personId }: PressedCell) {
  return { ...filterFields(filter), event: eventId, person: personId };
}

async function aboutNews(
  app: AttendanceApp,
  { course }: InstructorVisit,
  t: Translate,
  pressed: PressedCell,
  news: GridNews,
): Promise<{ said: string; warning: string | null }> {
  if (news.kind === "session") {
    const { learners: count, goesOn } = news;
    return {
      said: t("register.saved", { count, number: numberText(t, count) }),
      warning: goesOn ? t("grid.saved.goesOn") : null,
    };
  }
  const { person, member, session, row } = await showGridCell(app, course, pressed);
  const said = t("grid.saved.cell", {
    name: personName(person, member?.role ?? "learner"),
    session: session.title ?? t("review.untitled"),
    status: row.current === null ? t("grid.cell.blank") : statusView(t, row.current.status).text,
  });
  return { said, warning: null };
}

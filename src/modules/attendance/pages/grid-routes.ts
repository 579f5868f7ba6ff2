import { Router } from "express";
import { z } from "zod";
import { knownStatuses } from "../../../domain/attendance.ts";
import type { Course } from "../../../domain/course.ts";
import { personName } from "../../../domain/person.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { markOne, type Tap } from "../mark-session.ts";
import { type GridCell, gridCell, marksOf } from "../rules/attendance-summary.ts";
import { type GridCellDetail, showGridCell } from "../show-learner.ts";
import { readDays } from "../../scheduling/rules/time-zone.ts";
import { type Answer, json } from "../../../web/answer.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { pageWords } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { statusView } from "../../../web/page-text.ts";
import { tableForms } from "../../../web/table-file.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { gridFile, gridPrintModel, type GridPrintPage } from "./grid-files.ts";
import {
  filterFields,
  gridModel,
  type GridPage,
  type PressedCell,
  readGridFilter,
  readPressed,
} from "./grid-page.ts";
import { createFaces, gridWords } from "./grid-view.ts";
import { importNews, importNewsText, importRoutes } from "./import-routes.ts";
import {
  correctAsPosted,
  gridCellModel,
  type GridCellPage,
  learnerModel,
  type LearnerPage,
  statusOf,
} from "./learner-page.ts";
import { lineText, maxNoteLength, readRegister, seenOf } from "./register-form.ts";
import type { AttendancePagesApp } from "./session-view.ts";

const gridNews = z.union([z.literal("cell"), importNews]);

const readGrid = (posted: unknown) => ({ filter: readGridFilter(posted), pressed: readPressed(posted) });
const readCell = (posted: unknown) => ({ ...readGrid(posted), correction: readRegister(posted) });
const readExport = (posted: unknown) => ({ filter: readGridFilter(posted), days: readDays(posted) });

const addressOf = ({ filter, pressed: { eventId, personId } }: ReturnType<typeof readGrid>) => ({
  ...filterFields(filter),
  event: eventId,
  person: personId,
});

/** For instructors. Without a script, a cell opens its own page; with one, a tap on it can mark. */
export function gridRoutes(app: AttendancePagesApp): Router {
  const pages = coursePages(app);
  // The posted form contains the ids of the table's rows and columns.
  const common = { who: "grades", form: { maxBytes: 256 * 1024 } } as const;

  const grid = pages.page("/course/grid", {
    ...common,
    fields: readGrid,
    address: addressOf,
    news: gridNews,
    view: defineView<GridPage>("course/grid"),
    model: gridAfter,
  });
  pages
    .page("/course/grid/cell", {
      ...common,
      fields: readCell,
      address: addressOf,
      view: defineView<GridCellPage>("course/grid-cell"),
      model: gridCellModel,
    })
    .act("/course/grid/cell/save", {
      who: "corrections",
      run: async ({ visit, fields, again }) => {
        const refused = await correctAsPosted(app, visit, fields.pressed.personId, fields.correction);
        return refused === null ? grid.after(addressOf(fields), "cell") : again(refused, statusOf(refused));
      },
    });
  // One learner's attendance (field `person`: our id).
  pages
    .page("/course/learner", {
      ...common,
      fields: readCell,
      news: z.literal("saved"),
      address: ({ filter, pressed }) => ({ ...filterFields(filter), person: pressed.personId }),
      view: defineView<LearnerPage>("course/learner"),
      model: learnerModel,
    })
    .act("/course/learner/correct", {
      who: "corrections",
      run: async ({ visit, fields: { pressed, correction }, after, again }) => {
        const refused = await correctAsPosted(app, visit, pressed.personId, correction);
        return refused === null ? after("saved") : again(refused, statusOf(refused));
      },
    });
  pages.change(
    "/course/register/mark",
    { who: "corrections", fields: readTap, form: { maxBytes: 16 * 1024 } },
    ({ visit, fields: tap }) => tapAnswer(app, visit, tap),
  );
  for (const kind of tableForms) {
    pages.read(`/course/grid.${kind}`, { ...common, fields: readExport }, ({ visit, fields: requested }) =>
      gridFile(app, visit, requested, kind),
    );
  }
  pages.page("/course/grid/print", {
    ...common,
    fields: readExport,
    address: ({ filter, days }) => ({ ...filterFields(filter), from: days.from ?? "", to: days.to ?? "" }),
    view: defineView<GridPrintPage>("course/grid-print"),
    model: gridPrintModel,
  });
  const router = Router();
  router.use(
    pages.router,
    importRoutes(app, (news) => grid.after({}, news)),
  );
  return router;
}

async function gridAfter(
  app: AttendancePagesApp,
  context: PageContext<"grades", ReturnType<typeof readGrid>>,
  news: z.infer<typeof gridNews> | null,
) {
  const { visit, fields, t } = context;
  if (news === null) return gridModel(app, context, null);
  const savedText =
    news === "cell" ? await cellText(app, visit.course, t, fields.pressed) : importNewsText(t, news);
  return gridModel(app, context, savedText);
}

async function cellText(app: AttendancePagesApp, course: Course, t: Translate, pressed: PressedCell) {
  const { person, member, session, row } = await showGridCell(app, course, pressed);
  return t("grid.saved.cell", {
    name: personName(person, member?.role ?? "learner"),
    session: session.title ?? t("common.untitledSession"),
    status: row.current === null ? t("grid.cell.blank") : statusView(t, row.current.status).text,
  });
}

const tapShape = z.object({
  event: z.string().max(300).catch(""),
  person: z.string().max(100).catch(""),
  was: z.string().max(200).catch(""),
  status: z.union([z.literal(""), z.enum(knownStatuses)]),
  note: z.string().max(maxNoteLength).nullable().catch(null),
  undoes: z.literal("1").nullable().catch(null),
});

/** Reads a tap on a mark in the table or a register, and whether it undoes another tap. @throws NamedError "bad-request" */
function readTap(posted: unknown): Tap & { undoes: boolean } {
  const tap = tapShape.safeParse(posted ?? {});
  if (!tap.success) throw refusal("bad-request", { status: 400 });
  const { event, person, undoes, ...seen } = tap.data;
  return { ...seen, eventId: event, personId: person, undoes: undoes !== null };
}

/**
 * Marks one learner in one session, for a page that stays open. Answers with what to say, how the mark looks now, and what undoes it.
 * @throws NamedError "session-unknown", "learner-unknown"
 */
async function tapAnswer(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  { undoes, ...tap }: ReturnType<typeof readTap>,
): Promise<Answer> {
  const tapped = await markOne(app, visit.course, visit.session.personId, tap);
  const { person, member, session, row } = tapped.detail;
  const words = gridWords(await pageWords(app, visit, app.clock.now()));
  const { looks, of } = createFaces(words);
  const face = looks[of(cellOf(tapped.detail), session.counts)];
  const saved = undoes ? "undone" : "marked";
  const outcome = tapped.kind === "changed" ? "changed" : saved;
  return json({
    said: words.t(`register.tap.${outcome}`, {
      name: personName(person, member?.role ?? "learner"),
      status: face?.status ?? "",
    }),
    look: face,
    line: lineText(row.personId, seenOf(row), row.current?.status ?? ""),
    takesBack: tapped.kind === "marked" && !undoes ? tapped.takesBack : null,
  });
}

function cellOf({ session, member, row: { current } }: GridCellDetail): GridCell {
  if (current !== null) return { kind: "status", status: current.status, marks: marksOf(current) };
  const nobody = { active: false, sectionIds: [], sectionsTold: false };
  return gridCell(session, member ?? nobody, undefined);
}

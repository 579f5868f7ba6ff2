import { type GridFilter } from "../grid-learners.ts";
import { namesOfUsers } from "../../members/people.ts";
import { presenceRule, presenceWords } from "../../presence/pages/presence-view.ts";
import { type CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import {
  type NotCorrected,
  type SessionHistory,
  correctAsPosted,
  historyView,
  learnerPage,
  statusOf,
} from "./learner-page.ts";
import { type GridCellDetail, showGridCell } from "../show-learner.ts";
import { Router } from "express";
import { z } from "zod";
import { asKnownStatus, checkInOf } from "../../../domain/attendance.ts";
import { personName } from "../../../domain/person-name.ts";
import { markOne, type Tap } from "../mark-session.ts";
import { type GridCell, gridCell, marksOf } from "../rules/attendance-summary.ts";
import { readDays } from "../../scheduling/rules/time-zone.ts";
import { type Answer, type PageAnswer, json, page } from "../../../web/answer.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { readNews } from "../../../web/page-news.ts";
import { statusView } from "../../../web/page-text.ts";
import { tableForms } from "../../../web/table-file.ts";
import type { Translate } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { gridFile, gridPrintPage } from "./grid-files.ts";
import {
  type GridFields,
  type PressedCell,
  filterFields,
  gridPage,
  readGridFilter,
  readPressed,
} from "./grid-page.ts";
import { createLooks } from "./grid-view.ts";
import { gridWords } from "./grid-words.ts";
import { importNews, importNewsText, importRoutes } from "./import-routes.ts";
import { lineText, maxNoteLength, readRegister, seenOf } from "./register-form.ts";
import { type AttendancePagesApp, type StatusChoice, evidenceText, statusChoices } from "./session-view.ts";

/** What was saved. */
const gridNews = z.union([z.literal("cell"), importNews]);

export const fields = (posted: unknown) => ({ filter: readGridFilter(posted), pressed: readPressed(posted) });
const marked = (posted: unknown) => ({ ...fields(posted), mark: readRegister(posted) });

/** For instructors. Without a script, a cell is a page of its own; with one, a tap on it may mark. */
export function gridRoutes(app: AttendancePagesApp): Router {
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
  app: AttendancePagesApp,
  { course }: InstructorVisit,
  t: Translate,
  pressed: PressedCell,
): Promise<string> {
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
  status: z.string().catch(""),
  note: z.string().max(maxNoteLength).nullable().catch(null),
  undoes: z.literal("1").nullable().catch(null),
});

/** A tap on a mark, of the table or of a register, and whether it takes another one back. */
function readTap(posted: unknown): Tap & { undoes: boolean } {
  const { event, person, was, status, note, undoes } = tapShape.parse(posted ?? {});
  return {
    ...{ eventId: event, personId: person, was, note },
    status: asKnownStatus(status) ?? "",
    undoes: undoes !== null,
  };
}

/**
 * Marks one learner in one session for a page that stays: what to say, how the mark looks now, and what takes it back.
 * @throws NamedError "session-unknown", "learner-unknown"
 */
async function tapAnswer(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  { undoes, ...tap }: ReturnType<typeof readTap>,
): Promise<Answer> {
  const tapped = await markOne(app, visit.course, visit.session.personId, tap);
  const { person, member, session, row } = tapped.detail;
  const words = await gridWords(app, visit);
  const { looks, of } = createLooks(words);
  const look = looks[of(cellOf(tapped.detail), session.counts)];
  const said = tapped.kind === "changed" ? "changed" : undoes ? "undone" : "marked";
  return json({
    said: words.t(`register.tap.${said}`, {
      name: personName(person, member?.role ?? "learner"),
      status: look?.status ?? "",
    }),
    look,
    line: lineText(row.personId, seenOf(row), row.current?.status ?? ""),
    takesBack: tapped.kind === "marked" && !undoes ? tapped.takesBack : null,
  });
}

function cellOf({ session, member, row: { current } }: GridCellDetail): GridCell {
  if (current !== null) return { kind: "status", status: current.status, marks: marksOf(current) };
  const nobody = { active: false, sectionIds: [], sectionsTold: false };
  return gridCell(session, member ?? nobody, undefined);
}

/** One learner's attendance (field `person`: our id), for instructors. */
export function learnerRoutes(app: AttendancePagesApp): Router {
  const pages = coursePages(app);
  // From the table it is asked for with the ids of all rows.
  const form = { maxBytes: 256 * 1024 };
  const fields = (posted: unknown) => ({
    person: readPressed(posted).personId,
    filter: readGridFilter(posted),
  });
  const learner = pages.read(
    "/course/learner",
    {
      ...{ who: "grades", fields, form, news: readNews(z.literal("saved")) },
      address: ({ person, filter }) => ({ ...filterFields(filter), person }),
    },
    ({ visit, fields: wanted }, news) =>
      learnerPage(app, visit, wanted, { saved: news === "saved", refused: null }),
  );
  pages.change(
    "/course/learner/correct",
    {
      who: "corrections",
      fields: (posted) => ({ ...fields(posted), correction: readRegister(posted) }),
      form,
    },
    async ({ visit, fields: { correction, ...wanted } }) => {
      const { person, filter } = wanted;
      const refused = await correctAsPosted(app, visit, person, correction);
      if (refused === null) return learner.after({ ...filterFields(filter), person }, "saved");
      return learnerPage(app, visit, wanted, { saved: false, refused });
    },
  );
  return pages.router;
}

export type GridCellPage = CourseFrame & {
  /** Of the table to go back to. */
  fields: GridFields;
  heading: string;
  personId: string;
  one: SessionHistory;
  /** When the learner was in the Space, and whether that counts. */
  presence: { text: string; rule: string } | null;
  /** The session is for other sections. */
  elsewhere: boolean;
  corrected: boolean;
  choices: StatusChoice[];
  maxNoteLength: number;
  missed: boolean;
  failed: boolean;
};

const gridCellView = defineView<GridCellPage>("course/grid-cell");

/** @throws NamedError "session-unknown", "learner-unknown" */
export async function gridCellPage(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  { pressed, filter }: { pressed: PressedCell; filter: GridFilter },
  refused: NotCorrected | null,
): Promise<PageAnswer> {
  const { course } = visit;
  const detail = await showGridCell(app, course, pressed);
  const words = await gridWords(app, visit);
  const { t, now } = words;
  const users = detail.row.facts.history.map(({ updatedBy }) => updatedBy);
  const observers = await namesOfUsers(app, course, users);
  const one = historyView({ ...words, names: detail.names, observers }, detail, now, refused);
  const { of } = await presenceWords(app, words, course, [detail.session], [pressed.personId]);
  const { facts } = detail.row;
  const evidence = { seen: facts.seen, checkedInAt: checkInOf(facts) };
  const there = evidenceText(words, evidence, of(pressed.eventId, pressed.personId));
  const name = personName(detail.person, detail.member?.role ?? "learner");
  return page(
    gridCellView,
    {
      title: t("grid.menu.titleCell", { name, session: one.title, course: courseNameOf(t, course) }),
      fields: filterFields(filter),
      heading: t("grid.menu.cellHeading", { name, session: one.title }),
      personId: pressed.personId,
      one,
      presence: there === null ? null : { text: there, rule: presenceRule(t, course) },
      elsewhere: one.current === null && detail.row.remark === "other-section",
      corrected: detail.row.current?.correction != null,
      choices: statusChoices(t),
      maxNoteLength,
      missed: refused?.missed === true,
      failed: refused !== null && refused.problem !== null,
    },
    { status: refused === null ? undefined : statusOf(refused) },
  );
}

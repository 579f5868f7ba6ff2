import type { Router } from "express";
import { z } from "zod";
import { courseName } from "../../courses/rules/course.ts";
import { rosterProblemText } from "../../members/pages/people-view.ts";
import {
  type CourseReadiness,
  listReadiness,
  readRostersAgain,
  type Gap,
} from "../../operations/readiness.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed } from "./gate.ts";
import { type ListContext, consoleList } from "./list.ts";
import { type Line, lmsChoice, table, whenOrNever } from "./list-view.ts";
import { orNull, typedText } from "./requests.ts";

const shape = z.object({ show: z.enum(["", "all"]).catch(""), lms: typedText() });

/** For the time before term: which courses lack people, names, addresses, sections or a column, and what to do in their LMS. */
export function readinessPages(app: ConsoleApp, gate: Gate): Router {
  const queryOf = ({ query, visit: { within } }: ListContext<z.infer<typeof shape>>) => ({
    registrationId: within ?? orNull(query.lms),
    onlyGaps: query.show === "",
  });
  return consoleList(gate, {
    path: "/readiness",
    area: "readiness",
    openTo: narrowed,
    read: (given) => shape.parse(given),
    rows: async (context) => {
      const { rows, next } = await listReadiness(app, queryOf(context), context.cursor);
      return { next, found: rows.length, tables: [readinessTable(context.t, rows)] };
    },
    around: async ({ t, query, at, outcome, rest, visit }, { next }) => {
      const asked = outcome("asked");
      const registrations = visit.within === null ? await app.registrations.list() : [];
      return {
        lead: t("institution.readiness.lead"),
        done:
          asked === null
            ? null
            : {
                tone: "good",
                text: t("institution.readiness.asked", { number: numberText(t, asked) }),
                more: rest,
              },
        chips: (["", "all"] as const).map((show) => ({
          text: t(show === "" ? "institution.readiness.lacking" : "common.all"),
          link: at({ show }),
          current: show === query.show,
        })),
        filter:
          registrations.length < 2
            ? null
            : {
                fields: lmsChoice(
                  t("console.courses.lms"),
                  query.lms,
                  registrations,
                  t("console.courses.everyLms"),
                ),
                hidden: { show: query.show },
              },
        empty: t(next === null ? "institution.readiness.none" : "inbox.receipts.further"),
        forAll: true,
      };
    },
    file: "readiness",
    forAll: {
      path: "/readiness/again",
      texts: (t) => ({
        offer: t("institution.readiness.again"),
        heading: t("institution.readiness.again"),
        what: t("institution.readiness.againWhat"),
        none: t("institution.readiness.againNone"),
        button: t("institution.readiness.again"),
      }),
      found: (t, { number }) => t("label.value", { label: t("console.facts.courses"), value: number }),
      facts: ({ t, query: { show } }) => [
        {
          name: t("inbox.filter.state"),
          value: t(show === "" ? "institution.readiness.lacking" : "common.all"),
        },
      ],
      count: async (context) => {
        const { rows, next } = await listReadiness(app, queryOf(context), context.cursor);
        return { matched: rows.filter(({ facts }) => facts.listsPeople).length, next };
      },
      run: async (context) => {
        const { asked: count, next } = await readRostersAgain(
          { ...app, ...context.visit.by },
          queryOf(context),
          context.cursor,
        );
        return { outcome: { asked: count }, next };
      },
    },
  });
}

/** Groups courses that lack the same thing first, under what to do about it. */
function readinessTable(t: Translate, rows: readonly CourseReadiness[]) {
  const share = (known: number, of: number) =>
    of === 0 ? "–" : t("institution.readiness.share", { known: numberText(t, known), of: numberText(t, of) });
  return table(
    {
      label: t("console.areas.readiness"),
      rows,
      cause: {
        head: t("institution.readiness.todo"),
        of: ({ gaps: [first], product }) =>
          first === undefined ? null : todoText(t, first, product.wording),
      },
    },
    ({ column, plain }) => [
      plain(t("console.courses.course"), ({ course, lms }) => [
        { text: courseName(course), link: `/admin/courses/${course.id}` },
        [course.label, lms].filter((text) => text !== "").join(" · "),
      ]),
      column(t("institution.readiness.missing"), ({ gaps }): readonly Line[] =>
        gaps.length === 0
          ? [{ text: t("institution.readiness.nothing"), pill: "good" }]
          : gaps.map((gap) => ({ text: t(`institution.readiness.gaps.${gap}`), pill: "wait" })),
      ),
      column(t("institution.readiness.roster"), ({ roster, facts }) => [
        whenOrNever(t, facts.rosterReadAt),
        roster !== null && facts.rosterFailed ? rosterProblemText(t, roster) : null,
      ]),
      column(t("console.courses.members"), ({ facts }) => [
        { label: t("institution.readiness.names"), text: share(facts.named, facts.people) },
        { label: t("institution.readiness.emails"), text: share(facts.mailed, facts.people) },
        { label: t("institution.readiness.sections"), text: numberText(t, facts.sections) },
        facts.isPart ? t("institution.readiness.firstOnly", { number: numberText(t, facts.people) }) : null,
      ]),
      column(t("institution.readiness.column"), ({ facts }) =>
        t(`institution.readiness.columns.${columnOf(facts)}`),
      ),
    ],
  );
}

function columnOf({ hasColumn, wantsColumn, mayHaveColumn }: CourseReadiness["facts"]) {
  if (hasColumn) return "there";
  if (!wantsColumn) return "unwanted";
  return mayHaveColumn ? "later" : "refused";
}

/** What to do, in the words of the LMS. */
function todoText(t: Translate, gap: Gap, wording: CourseReadiness["product"]["wording"]): string {
  switch (gap) {
    case "failed":
    case "unread":
    case "sections":
      return t(`institution.readiness.do.${gap}`);
    case "names":
    case "email":
      return t(`institution.readiness.do.privacy.${wording}`);
    case "not-told":
    case "column":
      return t(`institution.readiness.do.services.${wording}`);
  }
}

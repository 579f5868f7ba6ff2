import type { Router } from "express";
import { z } from "zod";
import { checkInOf, presenceSeen } from "../../../domain/attendance.ts";
import { personName } from "../../../domain/person-name.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { readerFormat } from "../../../web/course-times.ts";
import { courseNameOf, courseWords, type CourseWords, sectionsText } from "../../../web/course-words.ts";
import { readNews } from "../../../web/page-news.ts";
import type { Tone } from "../../../web/page-parts.ts";
import { numberText, statusView } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { scoreTones } from "../../grading/pages/grades-view.ts";
import { workingWords } from "../../grading/pages/grading-words.ts";
import { whyText } from "../../grading/pages/score-words.ts";
import type { ScoreState } from "../../grading/rules/delivery.ts";
import { namesOfUsers } from "../../members/people.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import type { GridFilter } from "../grid-learners.ts";
import { addToTally, emptyTally, type GridCell, rateOf } from "../rules/attendance-summary.ts";
import { type LearnerDetail, type LearnerSession, showLearner } from "../show-learner.ts";
import type { AttendancePagesApp } from "./attendance-app.ts";
import { filterFields, type GridFields, readGridFilter, readPressed } from "./grid-form.ts";
import { countsText, emptySigns } from "./grid-words.ts";
import { maxNoteLength, readRegister } from "./register-form.ts";
import {
  correctAsPosted,
  historyView,
  type NotCorrected,
  type SessionHistory,
  statusOf,
} from "./session-history.ts";
import { evidenceText, sessionView, type StatusChoice, statusChoices } from "./session-view.ts";

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

export type LearnerPage = CourseFrame & {
  heading: string;
  personId: string;
  zone: string;
  sections: string;
  remark: string | null;
  /** Null or how the grade came about, and whether it has arrived. */
  grade: {
    text: string;
    /** "The sum: ..."; null without a score. */
    sum: string | null;
    /** The sentences before the sum, or why there is no score. */
    words: string[];
    delivery: { state: ScoreState; tone: Tone; problem: string | null } | null;
  };
  strip: Strip | null;
  fields: GridFields;
  choices: StatusChoice[];
  sessions: (SessionHistory & { presence: string | null })[];
  presenceRule: string | null;
  maxNoteLength: number;
  saved: boolean;
  missed: boolean;
  failed: boolean;
};

const learnerView = defineView<LearnerPage>("course/learner");

/** @throws NamedError "learner-unknown" */
async function learnerPage(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  { person: personId, filter }: { person: string; filter: GridFilter },
  pressed: { saved: boolean; refused: NotCorrected | null },
): Promise<PageAnswer> {
  const { course } = visit;
  const { refused } = pressed;
  const learner = await showLearner(app, course, personId);
  const words = await courseWords(app, visit);
  const { t } = words;
  const { person, member } = learner;
  const name = personName(person, member?.role ?? "learner");
  const users = learner.sessions.flatMap(({ row }) => row.facts.history.map(({ updatedBy }) => updatedBy));
  const known = { ...words, names: learner.names, observers: await namesOfUsers(app, course, users) };
  const attended = learner.sessions.map((one) => one.session);
  const presence = await presenceWords(app, words, course, attended, [personId]);
  const now = app.clock.now();
  return page(
    learnerView,
    {
      title: t("register.learner.title", { name, course: courseNameOf(t, course) }),
      heading: t("review.heading", { name }),
      personId,
      zone: words.times.place(now),
      sections: sectionsText(words, member?.sectionIds ?? []),
      remark: member?.active === true ? null : t("register.remarks.left"),
      grade: gradeView(t, learner),
      strip: stripView(words, learner.sessions, now),
      fields: filterFields(filter),
      choices: statusChoices(t),
      sessions: learner.sessions.map((one) => ({
        ...historyView(known, one, now, refused),
        presence: evidenceText(
          words,
          { seen: presenceSeen(one.row.facts), checkedInAt: checkInOf(one.row.facts) },
          presence.of(one.session.eventId, personId),
        ),
      })),
      presenceRule: presence.rule,
      maxNoteLength,
      saved: pressed.saved,
      missed: refused?.missed === true,
      failed: refused !== null && refused.problem !== null,
    },
    { status: refused === null ? undefined : statusOf(refused) },
  );
}

function gradeView(
  t: Translate,
  { attendance: { grade, delivery, perSession } }: LearnerDetail,
): LearnerPage["grade"] {
  if (grade === null) {
    return {
      text: t(perSession ? "register.learner.perSession" : "review.off"),
      sum: null,
      words: [],
      delivery: null,
    };
  }
  const { score, maximum } = grade;
  const numbers = { score: numberText(t, score ?? 0), maximum: numberText(t, maximum) };
  const words = workingWords(t, grade);
  return {
    text: score === null ? t("common.noGrade") : t("review.score", numbers),
    sum: score === null ? null : (words.at(-1) ?? null),
    words: score === null ? words : words.slice(0, -1),
    delivery:
      delivery === null
        ? null
        : { state: delivery.state, tone: scoreTones[delivery.state], problem: whyText(t, delivery) },
  };
}

/** The latest ones are shown. */
const maxSessions = 40;

type Strip = {
  /** Earliest first. `name`: class of the style sheet. */
  signs: { name: string; sign: string; text: string }[];
  counts: string;
  rate: string;
};

/** Earliest first, with the share attended of those that count. @param latestFirst As `showLearner` gives them. */
function stripView(words: CourseWords, latestFirst: readonly LearnerSession[], now: number): Strip | null {
  if (latestFirst.length === 0) return null;
  const { t } = words;
  const format = readerFormat(t, words.times.zone);
  const [tally, counting] = [emptyTally(), emptyTally()];
  const signs = latestFirst.map(({ session, row }) => {
    const cell: GridCell =
      row.current === null ? { kind: "blank" } : { kind: "status", status: row.current.status, marks: [] };
    addToTally(tally, cell);
    if (session.counts) addToTally(counting, cell);
    const { title, when } = sessionView(words, session, now);
    const face = row.current === null ? null : statusView(t, row.current.status);
    const says = face?.text ?? t("grid.cell.blank");
    return {
      name: face?.name ?? "blank",
      sign: face?.sign ?? emptySigns.blank,
      text: t("grid.learner.sign", { session: title, when, status: says }),
    };
  });
  const rate = rateOf(counting);
  return {
    signs: signs.slice(0, maxSessions).reverse(),
    counts: countsText({ t, format }, tally),
    rate: rate === null ? t("grid.learner.noRate") : t("common.rateAttended", { rate: format.percent(rate) }),
  };
}

import { type LearnerDetail, showLearner } from "../show-learner.ts";
import { checkInOf, presenceSeen } from "../../../domain/attendance.ts";
import { personName } from "../../../domain/person-name.ts";
import type { GridFilter } from "../grid-filter.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { defineView } from "../../../web/view.ts";
import { whyText } from "../../grading/pages/delivery-words.ts";
import { scoreTones } from "../../grading/pages/grades-view.ts";
import { workingWords } from "../../grading/pages/working-words.ts";
import type { ScoreState } from "../../grading/rules/score-state.ts";
import { namesOfUsers } from "../../members/people.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { evidenceText } from "./current-attendance-view.ts";
import { filterFields, type GridFields } from "./grid-form.ts";
import { type NotCorrected, statusOf } from "./learner-correction.ts";
import { type Strip, stripView } from "./learner-strip.ts";
import { maxNoteLength } from "./register-form.ts";
import { historyView, type SessionHistory } from "./session-history.ts";
import { type StatusChoice, statusChoices } from "./status-choices.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";

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
export async function learnerPage(
  app: AttendanceApp,
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
    text: score === null ? t("review.noScore") : t("review.score", numbers),
    sum: score === null ? null : (words.at(-1) ?? null),
    words: score === null ? words : words.slice(0, -1),
    delivery:
      delivery === null
        ? null
        : { state: delivery.state, tone: scoreTones[delivery.state], problem: whyText(t, delivery) },
  };
}

import { z } from "zod";
import type { App } from "../../../app.ts";
import { otherSpaceOf } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { defaultGradePolicy, gradeOf } from "../../../domain/grade-policy.ts";
import { spaceUrl } from "../../../domain/join-settings.ts";
import type { Launch } from "../../../domain/launch.ts";
import type { Registration } from "../../../domain/registration.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";
import { formOfCourse } from "../../courses/pages/settings-form.ts";
import { differenceWords } from "../../courses/pages/settings-view.ts";
import { consoleLinkLifetimeMs, letsAdministratorsIn } from "../../courses/rules/course.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import type { AnsweredCopy, CopyOffer, SetUpAnswers } from "../set-up.ts";
import { changeLink, linkOfCourse, type LinksApp } from "../../links/links.ts";
import { sessionName, spaceNames } from "../../links/pages/picker-page.ts";
import type { EventStore } from "../../scheduling/store/event-store.ts";
import { provenSpaces } from "../../spaces/space-rights.ts";
import * as inEffect from "../../../settings/in-effect.ts";
import { sayError } from "../../../web/page-text.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/visits.ts";

export type SetUpNews = "saved" | "later" | "hidden";

type SetUpQuestion = {
  name: keyof SetUpAnswers;
  legend: string;
  /** Set by the institution: shown, not asked. */
  locked: boolean;
  choices: { value: string; label: string; hint: string | null; chosen: boolean }[];
};

type SetUpView = { questions: SetUpQuestion[]; settingsRevision: number; policyRevision: number };

const attended = ["PRESENT", "PRESENT", "LATE"].map((status) => ({ status }));

/** With the present answers chosen, or those typed. @param reader.mayCorrect Whether they are asked about grades, too. */
export function setUpView(
  t: Translate,
  course: Course,
  answers: SetUpAnswers,
  { mayCorrect }: { mayCorrect: boolean },
): SetUpView {
  const { settingsRevision, policyRevision, door } = course;
  const minutes = { before: door.minutesBefore, after: door.minutesAfter };
  const choice = (value: string, chosen: boolean, label: string, hint: string | null = null) => ({
    value,
    label,
    hint,
    chosen,
  });
  const questions: SetUpQuestion[] = [
    {
      name: "grading",
      locked: isLocked(course, "grading"),
      legend: t("setUp.grading.legend"),
      choices: (["one-column", "column-per-session", "no-grades"] as const).map((kind) =>
        choice(
          kind,
          kind === answers.grading,
          t(`setUp.grading.${kind}`),
          kind === "one-column" ? exampleText(t, course) : null,
        ),
      ),
    },
    {
      name: "mode",
      locked: isLocked(course, "mode"),
      legend: t("setUp.mode.legend"),
      choices: (["tab", "embedded"] as const).map((mode) =>
        choice(mode, mode === answers.mode, t(`setUp.mode.${mode}`), t(`setUp.mode.hints.${mode}`)),
      ),
    },
    {
      name: "learnersStart",
      locked: isLocked(course, "learnersStart"),
      legend: t("setUp.start.legend"),
      choices: (["no", "yes"] as const).map((start) =>
        choice(start, (start === "yes") === answers.learnersStart, t(`setUp.start.${start}`)),
      ),
    },
    {
      name: "opens",
      locked: isLocked(course, "opens"),
      legend: t("setUp.opens.legend"),
      choices: (["always", "around-sessions"] as const).map((opens) =>
        choice(opens, opens === answers.opens, t(`setUp.opens.${opens}`, minutes)),
      ),
    },
  ];
  return {
    settingsRevision,
    policyRevision,
    questions: questions.filter(({ name }) => mayCorrect || name !== "grading"),
  };
}

const rules = {
  grading: "kind",
  mode: "mode",
  learnersStart: "call",
  opens: "doorTimes",
} as const satisfies Record<keyof SetUpAnswers, inEffect.OptionName>;

/** Whether the institution has answered a question for all its courses. */
export function isLocked(course: Pick<Course, "locked">, name: keyof SetUpAnswers): boolean {
  return inEffect.isLocked(course, rules[name]);
}

/** By the course's policy, or the default one where it gives no grades. */
function exampleText(t: Translate, { policy }: Course): string {
  const rule = policy.kind === "no-grades" ? defaultGradePolicy : policy;
  const { explanation } = gradeOf(
    { ...rule, kind: "one-column", minimumSessions: 1 },
    attended,
    attended.length,
  );
  return t("setUp.grading.example", { sum: explanation, points: rule.points });
}

/** The question, or what became of the answer; for `launch/copied.ejs`. */
export type CopiedPanel = { answered: string | null; source: string; changes: string[] };

export type CopiedPart = { t: Translate; session: string; copied: CopiedPanel };

export function askingPanel(
  t: Translate,
  course: Course,
  { source, after, changes }: CopyOffer,
): CopiedPanel {
  return {
    answered: null,
    source: source.title || source.label || t("product.name"),
    changes: changes ? changeWords(t, course, after) : [],
  };
}

/** As the settings page and the page of grading write them. */
function changeWords(t: Translate, before: Course, after: Course): string[] {
  const sections = { sectionKind: "groups" as const, sections: [] };
  const lines = differenceWords(t, sections, formOfCourse(before), formOfCourse(after));
  const policy = policyWords(t, after.policy).join(" ");
  const checksIn = after.checkIn;
  return [
    ...lines.map(({ label, now }) => t("label.value", { label, value: now })),
    ...(checksIn === before.checkIn ? [] : [t(`copied.checkIn.${checksIn}`)]),
    ...(policy === policyWords(t, before.policy).join(" ")
      ? []
      : [t("label.value", { label: t("nav.grades"), value: policy })]),
  ];
}

export function answeredPanel(t: Translate, outcome: AnsweredCopy["outcome"]): CopiedPanel {
  return { answered: t(`copied.answered.${outcome}`), source: "", changes: [] };
}

export type LinkOpens = {
  now: string;
  kind: "course" | "space" | "session";
  spaces: { spaceId: string; name: string }[];
  /** The institution lets courses use only Spaces that were made for them. */
  ownOnly: boolean;
  shut: string | null;
  /** As typed when it could not be used. */
  known: string;
  space: string;
  problem: string | null;
  saved: boolean;
};

export type LinkOpensPart = { t: Translate; session: string; opens: LinkOpens };

/** What an instructor has just tried; null when the page opens. */
export type LinkChange = { known: string; space: string; refused: NamedError | null } | null;

/** Null when the session came through no link of the course. */
export async function linkOpens(
  app: LinksApp & { events: EventStore },
  t: Translate,
  session: Session,
  course: Course,
  change: LinkChange,
): Promise<LinkOpens | null> {
  const link = await linkOfCourse(app, course, session.courseLinkId);
  if (link === null) return null;
  const appUrl = app.appUrlOf(course.environment);
  const shown = {
    ...typedAgain(change),
    problem: change?.refused == null ? null : problemText(t, change.refused, appUrl),
    saved: change !== null && change.refused === null,
    shut: await shutText(app, t, course, otherSpaceOf(link.choice)),
    ownOnly: course.ownSpacesOnly === true,
    spaces: spaceNames(await provenSpaces(app, course, session.personId)),
  };
  const { choice } = link;
  switch (choice.kind) {
    case "course-space":
      return { ...shown, kind: "course", now: t("choose.opens.now.course") };
    case "space": {
      const address = spaceUrl(appUrl, choice.spaceId);
      return { ...shown, kind: "space", now: t("choose.opens.now.space", { address }) };
    }
    case "session": {
      const event = await app.events.find(course.environment, choice.eventId);
      const name = sessionName(t, event, { timeZone: null });
      return { ...shown, kind: "session", now: t("choose.opens.now.session", { name }) };
    }
  }
}

async function shutText({ courses }: LinksApp, t: Translate, course: Course, spaceId: string | null) {
  const rightState = spaceId === null ? "usable" : await courses.rightState(course, spaceId);
  if (rightState === "usable") return null;
  const why = rightState === "not-own" ? ` ${t("choose.ownOnly")}` : "";
  return t(`choose.opens.shut.${rightState}`) + why;
}

function typedAgain(change: LinkChange): Pick<LinkOpens, "known" | "space"> {
  return change?.refused == null ? { known: "", space: "" } : { known: change.known, space: change.space };
}

const fieldsSchema = z.object({
  what: z.string().catch(""),
  known: z.string().catch(""),
  space: z.string().max(2_000).catch(""),
});

type LinkFields = z.infer<typeof fieldsSchema>;

export function linkFieldsOf(posted: unknown): LinkFields {
  return fieldsSchema.parse(posted);
}

/** @returns what was typed and why it was refused, for the next page. */
export async function changeLinkAsPosted(
  app: LinksApp,
  { session, course }: InstructorVisit,
  { what, known, space }: LinkFields,
): Promise<LinkChange> {
  if (what !== "course" && what !== "space") return null;
  const typed = space.trim() === "" ? known : space;
  const wanted =
    what === "course" ? ({ kind: "course-space" } as const) : ({ kind: "space", typed } as const);
  try {
    await changeLink(app, course, session.personId, session.courseLinkId, wanted);
    return { known, space, refused: null };
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.status === 422) return { known, space, refused: thrown };
    throw thrown;
  }
}

function problemText(t: Translate, refused: NamedError, appUrl: string): string {
  switch (refused.code) {
    case "space-unreadable":
      return t("choose.problems.spaceUnreadable", { folder: `${withoutTrailingSlashes(appUrl)}/spaces/` });
    default:
      return sayError(t, refused);
  }
}

/** Empty unless an administrator of an LMS that lets them in came. */
export function adminLinkOf(
  { config, clock }: Pick<App, "config" | "clock">,
  registration: Registration,
  { administrator = false, rights }: Pick<Launch, "administrator" | "rights">,
): Pick<Session, "consoleUntil"> {
  // Without a way to log in there is no console.
  const consoleOn = config.adminPassword !== undefined || config.oidc !== null;
  const opens = consoleOn && administrator && !rights.testUser && letsAdministratorsIn(registration);
  return opens ? { consoleUntil: clock.now() + consoleLinkLifetimeMs } : {};
}

/** Judged again where it leads to. */
export function showsAdminLink({ clock }: { clock: Clock }, { consoleUntil, only }: Session): boolean {
  return only === undefined && consoleUntil !== undefined && consoleUntil > clock.now();
}

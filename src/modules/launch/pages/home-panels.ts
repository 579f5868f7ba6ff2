import type { App } from "../../../app.ts";
import { type LinkChoice, otherSpaceOf } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { defaultGradePolicy, gradeOf } from "../../../domain/grade-policy.ts";
import { spaceUrl } from "../../../domain/join-settings.ts";
import type { Launch } from "../../../domain/launch.ts";
import type { Registration } from "../../../domain/registration.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { NamedError } from "../../../kernel/errors.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";
import { formOfCourse } from "../../courses/pages/settings-form.ts";
import { differenceWords } from "../../courses/pages/settings-view.ts";
import { consoleLinkLifetimeMs, letsAdministratorsIn } from "../../courses/rules/course.ts";
import { policyWords, sumInPrint } from "../../grading/pages/grading-words.ts";
import { offerCopiedSettings, type SetUpAnswers } from "../set-up.ts";
import { linkOfCourse, type LinksApp } from "../../links/links.ts";
import { sessionName, spaceNames } from "../../links/pages/picker-page.ts";
import type { EventStore } from "../../scheduling/store/event-store.ts";
import { provenSpaces } from "../../spaces/space-rights.ts";
import * as inEffect from "../../../settings/in-effect.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { sayError } from "../../../web/page-text.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";

type SetUpQuestion = {
  name: keyof SetUpAnswers;
  legend: string;
  /** The institution has set it, so it's shown, not asked. */
  locked: boolean;
  choices: { value: string; label: string; hint: string | null; chosen: boolean }[];
};

const attended = ["PRESENT", "PRESENT", "LATE"].map((status) => ({ status }));

/** Shows the present answers as chosen, or those just typed. @param reader.mayCorrect Whether they are also asked about grades. */
export function setUpView(
  t: Translate,
  course: Course,
  answers: SetUpAnswers,
  { mayCorrect }: { mayCorrect: boolean },
): { questions: SetUpQuestion[]; settingsRevision: number; policyRevision: number } {
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

/** Uses the course's policy, or the default policy if the course gives no grades. */
function exampleText(t: Translate, { policy }: Course): string {
  const rule = policy.kind === "no-grades" ? defaultGradePolicy : policy;
  const example = { ...rule, kind: "one-column" as const, minimumSessions: 1 };
  const { working, score } = gradeOf(example, attended, attended.length);
  const sum = working === null || score === null ? "" : sumInPrint(t, working, score);
  return t("setUp.grading.example", { sum, points: rule.points });
}

/** The question or, once answered, the outcome. For `launch/copied.ejs`. */
type CopiedPanel = { answered: string | null; source: string; changes: string[] };

export type CopiedPart = { t: Translate; session: string; copied: CopiedPanel };

/** Returns null if nothing is asked. */
export async function copiedPanel(
  app: Pick<App, "courses" | "courseCopies" | "registrations">,
  t: Translate,
  course: Course,
): Promise<CopiedPanel | null> {
  const offer = await offerCopiedSettings(app, course);
  if (offer === null) return null;
  const { source, after, changes } = offer;
  return {
    answered: null,
    source: courseNameOf(t, source),
    changes: changes ? changeWords(t, course, after) : [],
  };
}

/** Uses the words of the settings page and the grading page. */
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

export type LinkOpensPart = {
  t: Translate;
  session: string;
  opens: NonNullable<Awaited<ReturnType<typeof linkOpens>>>;
};

/** What an instructor has just tried. `error` says why it was refused. */
export type LinkRefused = { what: "link-refused"; known: string; space: string; error: NamedError };

/** Returns null if the session came through no link of the course. */
export async function linkOpens(
  app: LinksApp & { events: EventStore },
  t: Translate,
  session: Session,
  course: Course,
  message: { what: string } | LinkRefused | null,
) {
  const link = await linkOfCourse(app, course, session.courseLinkId);
  if (link === null) return null;
  const { choice } = link;
  const appUrl = app.appUrlOf(course.environment);
  const refused = message !== null && "error" in message ? message : null;
  return {
    kind: choice.kind === "course-space" ? "course" : choice.kind,
    now: await opensText(app, t, course, choice),
    /** What was typed, if it couldn't be used. */
    known: refused?.known ?? "",
    space: refused?.space ?? "",
    problem: refused === null ? null : problemText(t, refused.error, appUrl),
    saved: message?.what === "link-changed",
    shut: await shutText(app, t, course, otherSpaceOf(choice)),
    /** The institution lets courses use only Spaces that were made for them. */
    ownOnly: course.ownSpacesOnly === true,
    spaces: spaceNames(await provenSpaces(app, course, session.personId)),
  } as const;
}

async function opensText(
  app: LinksApp & { events: EventStore },
  t: Translate,
  course: Course,
  choice: LinkChoice,
): Promise<string> {
  switch (choice.kind) {
    case "course-space":
      return t("choose.opens.now.course");
    case "space":
      return t("choose.opens.now.space", {
        address: spaceUrl(app.appUrlOf(course.environment), choice.spaceId),
      });
    case "session": {
      const event = await app.events.find(course.environment, choice.eventId);
      return t("choose.opens.now.session", { name: sessionName(t, event, course) });
    }
  }
}

async function shutText({ courses }: LinksApp, t: Translate, course: Course, spaceId: string | null) {
  const rightState = spaceId === null ? "usable" : await courses.rightState(course, spaceId);
  if (rightState === "usable") return null;
  const why = rightState === "not-own" ? ` ${t("choose.ownOnly")}` : "";
  return t(`choose.opens.shut.${rightState}`) + why;
}

function problemText(t: Translate, refused: NamedError, appUrl: string): string {
  switch (refused.code) {
    case "space-unreadable":
      return t("choose.problems.spaceUnreadable", { folder: `${withoutTrailingSlashes(appUrl)}/spaces/` });
    default:
      return sayError(t, refused);
  }
}

/** Returns an empty object unless an administrator came from an LMS whose administrators may open the console. */
export function adminLinkOf(
  { config, clock }: Pick<App, "config" | "clock">,
  registration: Registration,
  { administrator = false, rights }: Pick<Launch, "administrator" | "rights">,
): Pick<Session, "consoleUntil"> {
  // Without a way to log in, there is no console.
  const consoleOn = config.adminPassword !== undefined || config.oidc !== null;
  const opens = consoleOn && administrator && !rights.testUser && letsAdministratorsIn(registration);
  return opens ? { consoleUntil: clock.now() + consoleLinkLifetimeMs } : {};
}

/** The console itself checks again. */
export function showsAdminLink({ clock }: { clock: Clock }, { consoleUntil, only }: Session): boolean {
  return only === undefined && consoleUntil !== undefined && consoleUntil > clock.now();
}

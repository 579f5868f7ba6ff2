import { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { readForm } from "../../../kernel/read-form.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { PageLogin } from "../../../lms/login-request.ts";
import type { ResumedLaunch } from "../../../lms/lti-provider.ts";
import { formOfCourse } from "../../courses/pages/settings-form.ts";
import { differenceWords } from "../../courses/pages/settings-view.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import { changeLink } from "../../links/link-space.ts";
import { requestedView } from "../../joining/pages/space-page.ts";
import { answerDecision } from "../../recordings/pages/recordings-view.ts";
import { answerCopiedSettings, answerSetUp, presentAnswers, type SetUpAnswers } from "../set-up.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { coursePages, noFields, seenRevision } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import { showError } from "../../../web/error-page.ts";
import { addressBelow, webAddressOrNull } from "../../../web/page-address.ts";
import { readNews } from "../../../web/page-news.ts";
import type { Head } from "../../../web/partials.ts";
import { allowFormsAnywhere } from "../../../web/security-headers.ts";
import { minePath, sessionFolder, sessionHere, tokenOf } from "../../../web/session-address.ts";
import type { Translate } from "../../../web/translate.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { type InstructorVisit, mayIn } from "../../../web/visits.ts";
import { homeNews, homePage, type HomeMessage } from "./home-page.ts";
import { isLocked, setUpView } from "./home-panels.ts";
import { sendInside, showInFrame } from "./send-inside.ts";

const linkFields = z.object({
  what: z.enum(["course", "space"]).nullable().catch(null),
  known: z.string().catch(""),
  space: z.string().max(2_000).catch(""),
});

const mineFields = z.object({
  to: z.enum(["home", "register", "grid", "grades", "recordings"]).catch("home"),
  event: z.string().max(300).catch(""),
});

const recordingFields = z.object({
  recording: z.string().max(300).catch(""),
  revision: seenRevision,
  act: z.enum(["publish", "hide"]).nullable().catch(null),
});

/** An answer of any other kind counts as missing. */
const copyFields = z.object({ answer: z.enum(["take", "decline"]).nullable().catch(null) });

/** An answer that wasn't offered counts as missing. */
const setUpFields = z.object({
  act: z.enum(["save", "later", "hide"]).catch("save"),
  settingsRevision: seenRevision,
  policyRevision: seenRevision,
  grading: z.enum(["one-column", "column-per-session", "no-grades"]).nullable().catch(null),
  mode: z.enum(["tab", "embedded"]).nullable().catch(null),
  learnersStart: z.enum(["yes", "no"]).nullable().catch(null),
  opens: z.enum(["always", "around-sessions"]).nullable().catch(null),
});
type Posted = z.infer<typeof setUpFields>;

/**
 * The home, and the changes whose result it shows: what its link opens, the question in a copied course, and the first questions, which /save
 * takes, puts off, or hides. /enter is the button.
 */
export function launchRoutes(app: App): Router {
  const router = Router();
  const form = readForm({ maxBytes: 16 * 1024 });
  router.post("/enter", form, async (request, response) => {
    const session = await app.sessions.readForEntry(tokenOf(request));
    await sendInside(app, session, request, response, {
      requested: requestedView(request.body),
      returnUrl: null,
    });
  });
  // Checks again, from the LMS's frame, whether entry is open. Outside a frame the closed page posts to /enter. A frame doesn't show the Space, so it
  // needs the page with the button.
  router.post("/door", form, async (request, response) => {
    const session = await app.sessions.readForEntry(tokenOf(request));
    await showInFrame(app, session, request, response, { returnUrl: null });
  });
  // Linked from the page after class and from mails, which prove nothing. Leads to where this browser opened the course last, or to the course in the
  // LMS, whose next launch leads to the page.
  router.get(`${minePath}/:course`, async (request, response) => {
    const { to, event } = mineFields.parse(request.query);
    const course = await app.courses.find(request.params.course);
    const courseUrl = webAddressOrNull(course?.courseUrl ?? null);
    const own = course === null ? null : await sessionHere(app, request, course.id);
    if (own !== null) response.redirect(303, sessionFolder(own) + addressBelow(`/${to}`, { event }));
    else if (course === null || courseUrl === null) throw refusal("not-found", { status: 404 });
    else {
      app.sessionCookie.requestPage(response, course.id);
      response.redirect(303, courseUrl);
    }
  });
  const pages = coursePages(app);
  const home = pages.read(
    "/course/home",
    { who: "anybody", fields: noFields, news: readNews(homeNews) },
    (context, message: HomeMessage | null) => homePage(app, context, message),
  );
  const homeSays = (message: z.infer<typeof homeNews> | null) => home.after({}, message);
  pages.change(
    "/course/link",
    { who: "settings", fields: linkFields },
    async ({ visit: { session, course }, fields: { what, known, space } }) => {
      if (what === null) return homeSays(null);
      const typed = space.trim() === "" ? known : space;
      const choice = what === "course" ? ({ kind: "course-space" } as const) : { kind: what, typed };
      try {
        await changeLink(app, course, session.personId, session.courseLinkId, choice);
        return homeSays({ what: "link-changed" });
      } catch (error) {
        if (!(error instanceof NamedError) || error.status !== 422) throw error;
        return home.again({ what: "link-refused", known, space, error }, 422);
      }
    },
  );
  pages.change(
    "/course/copied",
    // The answer may also take over the grade policy.
    { who: "corrections", fields: copyFields },
    async ({ visit, fields: { answer } }) => {
      if (answer === null) throw refusal("bad-request", { status: 400 });
      const { outcome } = await answerCopiedSettings(app, visit.course, answer);
      return homeSays({ what: "copied", outcome });
    },
  );
  pages.change(
    "/course/home/recording",
    { who: "teaching", fields: recordingFields },
    async ({ visit, fields: { act, ...seen } }) => {
      if (act === null) throw refusal("bad-request", { status: 400 });
      const { outcome, status } = await answerDecision(app, visit, seen, { what: act });
      return home.after({}, { what: "recording", ...seen, outcome }, status);
    },
  );
  pages
    .page("/course/set-up", {
      who: "settings",
      fields: setUpFields,
      address: () => ({}),
      view: defineView<SetUpPage>("launch/set-up"),
      model: setUpModel,
    })
    .act("/course/set-up/save", {
      who: "settings",
      run: async ({ visit, fields, again }) => {
        const { session, course } = visit;
        if (fields.act === "hide") {
          await app.courses.moveSetUp(course.id, ["open", "asked", "later", "done"], "hidden");
          return homeSays({ what: "set-up", answer: "hidden" });
        }
        if (fields.act === "later") {
          await app.courses.moveSetUp(course.id, ["open", "asked"], "later");
          return homeSays({ what: "set-up", answer: "later" });
        }
        const grading = mayIn(session, course, "corrections") ? fields.grading : null;
        const answers = answersIn({ ...fields, grading }, course);
        return (await save(app, visit, fields, answers))
          ? homeSays({ what: "set-up", answer: "saved" })
          : again(answers, 409);
      },
    });
  router.use(pages.router);
  return router;
}

export type SetUpPage = PageOf<typeof setUpModel>;

/** @param conflicting Answers that weren't saved, because the course has changed since. */
function setUpModel(
  _app: App,
  { visit: { session, course }, words: { t } }: PageContext<"settings", Posted>,
  conflicting: SetUpAnswers | null,
) {
  const answers = conflicting ?? presentAnswers(course);
  return Promise.resolve({
    title: t("setUp.title", { course: courseNameOf(t, course) }),
    conflict: conflicting !== null,
    setUp: setUpView(t, course, answers, { mayCorrect: mayIn(session, course, "corrections") }),
  });
}

/** @returns false if the course was changed since the questions were shown. */
function save(
  app: App,
  { session, course }: InstructorVisit,
  { settingsRevision, policyRevision }: Posted,
  answers: SetUpAnswers,
): Promise<boolean> {
  const t = app.translatorOf(course.language);
  return answerSetUp(app, course, {
    personId: session.personId,
    answers,
    settingsRevision,
    policyRevision,
    policyText: (policy) => policyWords(t, policy).join(" "),
    linesOf: (before, after) => settingsLines(t, before, after),
  });
}

/** Keeps the present answer if one is missing or the institution has set it. */
function answersIn({ grading, mode, learnersStart, opens }: Posted, course: Course): SetUpAnswers {
  const now = presentAnswers(course);
  const given = <Name extends keyof SetUpAnswers>(name: Name, answer: SetUpAnswers[Name] | null) =>
    answer === null || isLocked(course, name) ? now[name] : answer;
  return {
    grading: given("grading", grading),
    mode: given("mode", mode),
    learnersStart: given("learnersStart", learnersStart === null ? null : learnersStart === "yes"),
    opens: given("opens", opens),
  };
}

/** The lines that the settings page writes into the change log, without sections. */
function settingsLines(t: Translate, before: Course, after: Course) {
  const from = { sectionKind: "groups" as const, sections: [] };
  return differenceWords(t, from, formOfCourse(before), formOfCourse(after)).map(({ label, was, now }) => ({
    before: t("settings.audit.course", { setting: label, value: was }),
    after: now,
  }));
}

/** `host`: the tool's host name. */
export type KeepPage = Head & { login: PageLogin; host: string };

const keepPage = defineView<KeepPage>("launch/keep");

/**
 * Answers a login in a frame, or from an LMS with platform storage. The page checks whether this browser will be recognized when it comes
 * back, and continues to the LMS, or offers a new window. A program, which takes no page, is redirected.
 * @param app.publicUrl Its host is named to administrators.
 */
export function showCookieProbePage(
  app: Pick<App, "translatorOf" | "publicUrl">,
  login: PageLogin,
  request: Request,
  response: Response,
): void {
  if (request.accepts("html") === false) {
    response.redirect(302, login.location);
    return;
  }
  const t = app.translatorOf(readerLocale(request));
  // The new window leads to the LMS, and from there to wherever people log in.
  allowFormsAnywhere(response, app.publicUrl);
  renderView(response, keepPage, {
    t,
    title: t("browser.opening"),
    login,
    host: new URL(app.publicUrl).host,
  });
}

/** The page that asks the LMS's platform storage. `host`: the tool's host name. */
export type ResumePage = Head & { launch: ResumedLaunch; host: string; returnUrl: string | null };

const resumePage = defineView<ResumePage>("launch/resume");

/**
 * For a genuine launch without its cookie: asks the LMS's platform storage for what the login put there, and posts the launch once more.
 * Status 200 if the LMS offers storage, otherwise 401, because this is most likely the end. A program gets the plain refusal.
 */
export function showStorageResumePage(
  app: Pick<App, "ids" | "logger" | "translatorOf" | "publicUrl">,
  launch: ResumedLaunch,
  request: Request,
  response: Response,
): void {
  const t = app.translatorOf(launch.locale);
  if (request.accepts(["html", "json"]) === "json") {
    showError({ ...app, t }, request, response, launch.refusal);
    return;
  }
  // The launch that the page posts leads to the Space, at top level.
  allowFormsAnywhere(response, app.publicUrl);
  response.status(launch.storageTarget === null ? launch.refusal.status : 200);
  renderView(response, resumePage, {
    t,
    title: t("browser.opening"),
    launch,
    host: new URL(app.publicUrl).host,
    returnUrl: webAddressOrNull(launch.returnUrl),
  });
}

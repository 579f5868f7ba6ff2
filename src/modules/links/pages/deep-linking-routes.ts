import { type Request, type Response, Router } from "express";
import { readForm } from "../../../kernel/read-form.ts";
import { sayError } from "../../../web/page-text.ts";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { Translate } from "../../../web/translate.ts";
import { spaceRefusals } from "../../spaces/space-rights.ts";
import { requireActiveRegistration } from "../../registration/registrations.ts";
import { linkOfferOf } from "../rules/link-offer.ts";
import { chooseLinks, offerChoices, type OfferedChoices } from "../links.ts";
import { type Dialog, handOverRoutes, showAnswer } from "./hand-over.ts";
import {
  type PickerFields,
  pickerFieldsFrom,
  type PickerProblems,
  problemsOf,
  sessionName,
  showPicker,
  suggestedTitle,
  newLinks,
} from "./picker-page.ts";

/** A dialog contains what its LMS wants back, which came in a launch. Sealed, it can be twice as long. */
const maxDialogBytes = 256 * 1024;

/** POST /choose: the picker's form, which carries its dialog sealed in a field. */
export function deepLinkingRoutes(app: App): Router {
  const router = Router();
  router.post("/choose", readForm({ maxBytes: maxDialogBytes }), (request, response) =>
    answerPicker(app, request, response),
  );
  router.use(handOverRoutes(app));
  return router;
}

async function answerPicker(app: App, request: Request, response: Response): Promise<void> {
  const body: unknown = request.body;
  const token = typeof body === "object" && body !== null && "dialog" in body ? body.dialog : null;
  const dialog = app.dialogs.read(token);
  const t = app.translatorOf(dialog.locale);
  // Who may choose is who may use the dialog's other pages.
  const { role } = await app.sessions.read(dialog.session);
  const registration = await requireActiveRegistration(app, dialog);
  const course = await app.courses.find(dialog.courseId);
  if (course === null || role !== "instructor") throw refusal("instructors-only", { status: 403 });
  const { fields, cancelled } = pickerFieldsFrom(body);
  const title = t("choose.back.title");
  if (cancelled) {
    const words = { title, message: t("choose.back.nothing") };
    await showAnswer({ ...app, t }, registration, dialog, { items: [], words }, response);
    return;
  }
  const offered = await offerChoices(app, course, dialog.personId);
  const made = await madeLinks(app, { t, dialog, course, offered, fields });
  if ("problems" in made) {
    const appUrl = app.appUrlOf(course.environment);
    showPicker(
      {
        t,
        token: app.dialogs.issue(dialog),
        dialog,
        course,
        offered,
        appUrl,
        fields,
        problems: made.problems,
        session: dialog.session,
      },
      response,
    );
    return;
  }
  const words = { title, message: t("choose.back.chosen") };
  await showAnswer({ ...app, t }, registration, dialog, { items: made.items, words }, response);
}

async function madeLinks(
  app: App,
  picked: { t: Translate; dialog: Dialog; course: Course; offered: OfferedChoices; fields: PickerFields },
) {
  const { t, dialog, course, offered, fields } = picked;
  const offer = linkOfferOf(dialog);
  const problems = problemsOf(fields, offer, app.appUrlOf(course.environment));
  if (Object.keys(problems).length > 0) return { problems };
  const suggested = suggestedTitle(t, dialog);
  const timeZone = course.timeZone ?? dialog.timeZone;
  const session = (eventId: string) =>
    sessionName(t, offered.sessions.find((one) => one.eventId === eventId) ?? null, { timeZone });
  const names = { course: suggested, space: suggested, session };
  const chosen = newLinks(fields, { offer, names, suggested, text: dialog.text });
  try {
    return { items: await chooseLinks(app, course, dialog.personId, chosen) };
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    const problems = spaceRefusals.includes(thrown.code)
      ? { space: { sentence: sayError(t, thrown) } }
      : mendable.get(thrown.code);
    if (problems === undefined) throw thrown;
    return { problems };
  }
}

/** Refusals that the person can correct in the picker. */
const mendable: ReadonlyMap<string, PickerProblems> = new Map([
  ["session-unknown", { what: "session" }],
  ["space-unreadable", { space: "spaceUnreadable" }],
] satisfies [string, PickerProblems][]);

import { type Response, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { customParameter, type DeepLinkingRequest, type Launch } from "../../../domain/launch.ts";
import { answerOrigins } from "../../../domain/lms-product.ts";
import type { Registration } from "../../../domain/registration.ts";
import { type Clock, hourMs } from "../../../kernel/clock.ts";
import { shortDigest } from "../../../kernel/ids.ts";
import { readForm } from "../../../kernel/read-form.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { Sealer } from "../../../kernel/sealer.ts";
import type { SignDeepLinkingAnswer } from "../../../lms/deep-linking-response.ts";
import { capabilitiesOf } from "../../../lms/products/products.ts";
import { recordLaunch } from "../../launch/record-launch.ts";
import { offerChoices } from "../links.ts";
import { type ContentItem, linkOfferOf } from "../rules/link-offer.ts";
import { requireActiveRegistration } from "../../registration/registrations.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import type { FetchAnswer, Head } from "../../../web/partials.ts";
import { allowFormsTo } from "../../../web/security-headers.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { firstFields, showPicker } from "./picker-page.ts";

type HandOverApp = Pick<App, "handedAnswers" | "sealer" | "clock">;

/** What the answer of a dialog needs. */
type Answered = Pick<Dialog, "returnUrl" | "deploymentId" | "data" | "acceptTargets" | "locale" | "answerTo">;

/** The answer waits in the LMS's dialog. The form is for people who closed the dialog. */
export type HandedOverPage = Head & { returnUrl: string; jwt: string };

const handedOverPage = defineView<HandedOverPage>("deep-linking/handed-over");

/**
 * The form posts one field `JWT` to the return address, automatically unless the page should be read first. If a frame in the LMS's dialog
 * waits, it gets the answer instead, and the form is for people who closed the dialog.
 * @throws NamedError "no-return-address" if a form may not be sent to the LMS's address.
 */
export async function showAnswer(
  app: HandOverApp & { signDeepLinkingAnswer: SignDeepLinkingAnswer; t: Translate },
  registration: Registration,
  dialog: Answered,
  answer: {
    items: readonly ContentItem[];
    words: { title: string; message: string };
    /** The LMS gets the reason, too. The page waits for a click. */
    refused?: boolean;
  },
  response: Response,
): Promise<void> {
  const returnUrl = webAddressOrNull(dialog.returnUrl);
  if (returnUrl === null) throw refusal("no-return-address", { status: 400 });
  const { items, words, refused = false } = answer;
  const jwt = await app.signDeepLinkingAnswer(registration, {
    deploymentId: dialog.deploymentId,
    data: dialog.data,
    acceptTargets: dialog.acceptTargets,
    items,
    error: refused ? words.message : null,
  });
  allowFormsTo(response, answerOrigins(capabilitiesOf(registration), returnUrl));
  const page = { t: app.t, returnUrl, jwt };
  if (dialog.answerTo != null) {
    const { deploymentId, data, acceptTargets, locale } = dialog;
    const left = { registrationId: registration.id, deploymentId, returnUrl, data, acceptTargets, locale };
    const refusal = refused ? words.message : null;
    await handOver(app, dialog.answerTo, { ...left, ...words, refusal, items });
    if (!refused) {
      renderView(response, handedOverPage, { ...page, title: app.t("choose.handedOver.heading") });
      return;
    }
  }
  renderView(response, returnPage, { ...page, ...words, sendsItself: !refused });
}

const answerSchema = z.object({
  registrationId: z.string(),
  deploymentId: z.string(),
  returnUrl: z.string(),
  data: z.string().nullable(),
  acceptTargets: z.array(z.string()).readonly(),
  locale: z.string().nullable(),
  title: z.string(),
  message: z.string(),
  /** Why nothing could be chosen. The LMS gets this, too. */
  refusal: z.string().nullable(),
  items: z
    .array(
      z.object({
        title: z.string(),
        text: z.string().nullable(),
        custom: z.record(z.string(), z.string()),
        column: z
          .object({
            points: z.number(),
            resourceId: z.string(),
            tag: z.string(),
            endsAt: z.number().nullable(),
          })
          .nullable(),
      }),
    )
    .readonly(),
});

/** Nothing was chosen yet. With `answerKey`, the frame asks again. */
export type NotChosenPage = FetchAnswer & Head;

const notChosenPage = defineView<NotChosenPage>("deep-linking/not-chosen");

/** Signed only when it's sent, because a signature lasts minutes and choosing may take longer. */
type HandedAnswer = z.infer<typeof answerSchema>;

const answerPurpose = "deep-linking answer";
/** As long as a dialog may be open (ms). */
const answerLifetimeMs = hourMs;

/** The instructor is choosing in the window that the frame opened. */
async function beginHandOver(app: HandOverApp, answerTo: string): Promise<void> {
  await app.handedAnswers.put(answerTo, null, app.clock.now() + answerLifetimeMs);
}

/** For the frame, which alone has the key whose digest `answerTo` is. */
async function handOver(app: HandOverApp, answerTo: string, answer: HandedAnswer): Promise<void> {
  const sealed = app.sealer.seal(answerPurpose, JSON.stringify(answer));
  await app.handedAnswers.put(answerTo, sealed, app.clock.now() + answerLifetimeMs);
}

const keySchema = z.object({ key: z.string().min(16).max(200) });

/** /state, for the frame's script: "none", "choosing" or "ready". The other page sends the answer to the LMS. */
export function handOverRoutes(app: App): Router {
  const router = Router();
  const form = readForm({ maxBytes: 4 * 1024 });
  const findFor = (body: unknown) => {
    const asked = keySchema.safeParse(body);
    return asked.success ? app.handedAnswers.find(shortDigest(asked.data.key), app.clock.now()) : null;
  };

  router.post("/choose/answer/state", form, async (request, response) => {
    const found = await findFor(request.body);
    const chosen = found?.answer == null ? "choosing" : "ready";
    const state = found === null ? "none" : chosen;
    response.json({ state });
  });

  router.post("/choose/answer", form, async (request, response) => {
    const found = await findFor(request.body);
    if (found?.answer == null) {
      const t = app.translatorOf(readerLocale(request));
      renderView(response.status(404), notChosenPage, {
        t,
        title: t("choose.notChosen.heading"),
        answerKey: keySchema.safeParse(request.body).data?.key ?? "",
      });
      return;
    }
    const answer = answerSchema.parse(JSON.parse(app.sealer.open(answerPurpose, found.answer)));
    const registration = await requireActiveRegistration(app, answer);
    const t = app.translatorOf(answer.locale);
    allowFormsTo(response, answerOrigins(capabilitiesOf(registration), answer.returnUrl));
    renderView(response, returnPage, {
      t,
      title: answer.title,
      message: answer.message,
      returnUrl: answer.returnUrl,
      jwt: await app.signDeepLinkingAnswer(registration, { ...answer, error: answer.refusal }),
      sendsItself: answer.refusal === null,
    });
  });
  return router;
}

const dialogSchema = z.object({
  registrationId: z.string(),
  deploymentId: z.string(),
  courseId: z.string(),
  personId: z.string(),
  locale: z.string().nullable(),
  timeZone: z.string().nullable(),
  returnUrl: z.string().regex(/^https?:\/\//i),
  acceptTypes: z.array(z.string()).readonly(),
  acceptTargets: z.array(z.string()).readonly(),
  acceptMultiple: z.boolean(),
  acceptLineItem: z.boolean().nullable(),
  title: z.string().nullable(),
  text: z.string().nullable(),
  data: z.string().nullable(),
  /** For the course's other pages. */
  session: z.string(),
  answerTo: z.string().nullish(),
});

/** A deep linking request under way: who may answer it for which course, and what the LMS wants back. */
export type Dialog = z.infer<typeof dialogSchema>;

/** Sealed, because `data` is the LMS's own and the return address may contain a key. */
export type Dialogs = ReturnType<typeof createDialogs>;

const dialogPurpose = "deep-linking dialog";
const lifetimeMs = hourMs;
const sealedSchema = z.object({ until: z.number(), dialog: dialogSchema });

/** Under SECRET_KEY. Values sealed for another purpose can't be opened as a dialog. */
export function createDialogs({ sealer, clock }: { sealer: Sealer; clock: Clock }) {
  return {
    issue: (dialog: Dialog): string =>
      sealer.seal(dialogPurpose, JSON.stringify({ until: clock.now() + lifetimeMs, dialog })),
    /** @throws NamedError "dialog-over" if the token is missing, invented, or older than an hour. */
    read: (token: unknown): Dialog => {
      const opened = typeof token === "string" ? parsed(sealer, token) : null;
      if (opened !== null && opened.until > clock.now()) return opened.dialog;
      throw refusal("dialog-over", { status: 401 });
    },
  };
}

function parsed(sealer: Sealer, token: string): z.infer<typeof sealedSchema> | null {
  try {
    return sealedSchema.parse(JSON.parse(sealer.open(dialogPurpose, token)));
  } catch {
    return null;
  }
}

/** `jwt`: the signed answer. `sendsItself`: nobody needs to read the page first. */
export type ReturnPage = Head & { message: string; returnUrl: string; jwt: string; sendsItself: boolean };

const returnPage = defineView<ReturnPage>("deep-linking/return");

/** The picker for instructors. For others, a way back to the LMS. */
export async function showDialog(app: App, registration: Registration, launch: Launch, response: Response) {
  const { deepLinking, presentation } = launch;
  if (deepLinking === null) throw new Error("a deep linking launch without its settings");
  const t = app.translatorOf(presentation.locale);
  const why = refusalOf(launch, deepLinking);
  if (why !== null) {
    response.status(why === "learner" ? 403 : 200);
    const dialog = { ...deepLinking, deploymentId: launch.deploymentId, locale: presentation.locale };
    const words = { title: t("choose.refused.heading"), message: t(`choose.refused.${why}`) };
    await showAnswer({ ...app, t }, registration, dialog, { items: [], words, refused: true }, response);
    return;
  }
  if (deepLinking.answerTo != null) await beginHandOver(app, deepLinking.answerTo);
  const { course, person } = await recordLaunch(app, registration, launch);
  const who = {
    registrationId: registration.id,
    deploymentId: launch.deploymentId,
    courseId: course.id,
    personId: person.id,
    locale: presentation.locale,
  };
  // No link is open in a dialog.
  const session = await app.sessions.issue({
    ...who,
    courseLinkId: null,
    role: launch.rights.role,
    staffRole: launch.rights.staffRole,
  });
  const timeZone = launch.custom[customParameter.timeZone] ?? null;
  const dialog: Dialog = { ...deepLinking, ...who, timeZone, session };
  const offered = await offerChoices(app, course, person.id);
  showPicker(
    {
      t,
      token: app.dialogs.issue(dialog),
      dialog,
      course,
      offered,
      appUrl: app.appUrlOf(course.environment),
      fields: firstFields(t, dialog, course, offered),
      problems: {},
      session,
    },
    response,
  );
}

function refusalOf(launch: Launch, deepLinking: DeepLinkingRequest): "learner" | "noLinks" | "nobody" | null {
  if (launch.rights.role !== "instructor") return "learner";
  if (launch.person === null || launch.course === null) return "nobody";
  return linkOfferOf(deepLinking).links ? null : "noLinks";
}

import { type Request, type Response, Router } from "express";
import { z } from "zod";
import { readForm } from "../../../kernel/read-form.ts";
import { sessionLifetimeMs } from "../../../domain/browser-session.ts";
import type { App } from "../../../app.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { withWayBack } from "../../../web/visits.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import {
  isByAddress,
  sessionAskedFor,
  sessionFolder,
  sessionIdIn,
  tokenOf,
} from "../../../web/session-address.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { numberText } from "../../../web/page-text.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import { courseNameOf } from "../../../web/course-words.ts";

const form = z.object({
  /** A page of the session, with its query. */
  to: z
    .string()
    .regex(/^\/[\w/.-]{1,100}(\?[^#]{0,2000})?$/)
    .catch("/home"),
});

export type SignedOutPage = Awaited<ReturnType<typeof signedOutModel>>;

const signedOutView = defineView<SignedOutPage>("course/signed-out");

/** The page of an ended session, where its person can end their other sessions. */
const signedOutPage = "/signed-out";
/** How long that page knows whose session it was (ms). */
const signedOutMs = 10 * 60_000;

type SignedOut = { courseId: string; locale: string | null; token: string | null; others: number };

/**
 * POST /course/sign-out ends the page's session, and every page opened from the same launch, and leads to /course/signed-out, which offers to
 * end the person's other sessions in this course. POST /course/signed-out does that. POST /course/tab opens a page of the session in a tab
 * beside its frame, which has its own cookies. GET /course/alive says whether a page that comes back from the browser's memory may be shown:
 * 204, 401 without proof, 410 if the session has ended. POST /alive: a page that is only watched, such as a lesson in a frame, says that it's
 * still there.
 */
export function signOutRoutes(app: App): Router {
  const router = Router();
  const parse = readForm({ maxBytes: 16 * 1024 });
  const ends = (everywhere: boolean) =>
    withWayBack(app, async (request, response) => {
      // Done before the record ends, because its cookies can't be compared afterwards.
      const leads = isByAddress(request);
      const { session, others } = await app.signOut(tokenOf(request), everywhere);
      const { courseId, locale, token = "" } = session;
      const id = sessionIdIn(token);
      app.sessionCookie.clear(response, id);
      clearCachedPages(response);
      if (!leads) {
        await showSignedOut(app, response, { courseId, locale, token, others }, everywhere);
        return;
      }
      app.sessionCookie.set(request, response, token, signedOutMs, signedOutPage);
      response.redirect(303, sessionFolder(id) + signedOutPage + (everywhere ? "?everywhere=yes" : ""));
    });
  router.post("/course/sign-out", parse, ends(false));
  router.post(`/course${signedOutPage}`, parse, ends(true));
  router.get(
    `/course${signedOutPage}`,
    withWayBack(app, async (request, response, next) => {
      const id = sessionAskedFor(request);
      if (id === null) {
        next();
        return;
      }
      const out = await signedOutOf(app, id, request);
      if (out === "still-in") {
        response.redirect(303, `${sessionFolder(id)}/home`);
        return;
      }
      clearCachedPages(response);
      await showSignedOut(app, response, out, request.query["everywhere"] === "yes");
    }),
  );
  router.post("/course/tab", parse, async (request, response) => {
    const { to } = form.parse(request.body ?? {});
    const { token: own = "", launchedAt = 0 } = await app.sessions.read(tokenOf(request));
    app.sessionCookie.set(request, response, own, launchedAt + sessionLifetimeMs - app.clock.now());
    response.redirect(303, sessionFolder(sessionIdIn(own)) + to);
  });
  router.get("/course/alive", async (request, response, next) => {
    const id = sessionAskedFor(request);
    if (id === null) {
      next();
      return;
    }
    response.status(await aliveStatus(app, request, id)).end();
  });
  router.post("/alive", parse, async (request, response) => {
    await app.sessions.readForEntry(tokenOf(request));
    response.status(204).end();
  });
  return router;
}

/**
 * Who has only the address sees that its session has ended, and the way to the course.
 * @throws NamedError why the session has ended, if it wasn't signed out.
 */
async function signedOutOf(app: App, id: string, request: Request): Promise<SignedOut | "still-in"> {
  const known = await app.sessions.about(id);
  if (known === null) throw refusal("session-over", { status: 401 });
  if (known.over === null) return "still-in";
  if (known.over.code !== "signed-out") throw known.over;
  const { courseId } = known.session;
  const token = tokenOf(request);
  if (token === null) return { courseId, locale: readerLocale(request), token: null, others: 0 };
  // It has ended already, so this only counts the person's other sessions.
  const { session, others } = await app.signOut(token, false);
  return { courseId, locale: session.locale, token: session.token ?? null, others };
}

/** Also clears pages that the browser keeps for Back. */
function clearCachedPages(response: Response): void {
  response.set({ "Cache-Control": "no-store", "Clear-Site-Data": '"cache"' });
}

async function showSignedOut(app: App, response: Response, out: SignedOut, everywhere: boolean) {
  renderView(response, signedOutView, await signedOutModel(app, out, everywhere));
}

async function signedOutModel(app: App, { courseId, locale, token, others }: SignedOut, everywhere: boolean) {
  const course = await app.courses.find(courseId);
  const t = app.translatorOf(locale);
  // Without proof, the page shows nothing about the course.
  const courseName = course === null || token === null ? t("product.name") : courseNameOf(t, course);
  return {
    t,
    title: t("signOut.title", { course: courseName }),
    courseName,
    courseUrl: webAddressOrNull(course?.courseUrl ?? null),
    /** The form that ends the person's other sessions. Null if there are none, or nothing proves whose they are. */
    others:
      others === 0 || token === null
        ? null
        : {
            action: sessionFolder(sessionIdIn(token)) + signedOutPage,
            token,
            text: t("signOut.others", { count: others, number: numberText(t, others) }),
          },
    everywhere,
  };
}

async function aliveStatus({ sessions }: App, request: Request, id: string): Promise<204 | 401 | 410> {
  try {
    await sessions.readForEntry(tokenOf(request));
    return 204;
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.status !== 401) throw thrown;
    const known = await sessions.about(id);
    return known !== null && known.over !== null ? 410 : 401;
  }
}

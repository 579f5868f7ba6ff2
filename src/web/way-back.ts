import type { RequestHandler } from "express";
import { NamedError } from "../kernel/errors.ts";
import { type FormLimits, readFormOf } from "../kernel/read-form.ts";
import { refusal } from "../kernel/refusal.ts";
import { allowFormsTo } from "./form-targets.ts";
import type { MyVisitDeps } from "./my-visit.ts";
import { sessionAskedFor, shownToken, tokenOf } from "./session-address.ts";

type WayBackDeps = Pick<MyVisitDeps, "sessions" | "courses">;

/**
 * A session that is over, or not this browser's, is told the way to the course. An address that is asked for without proof may still
 * be filled by the page's script, from the tab's history.
 */
export function withWayBack(deps: WayBackDeps, handle: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    try {
      await handle(request, response, next);
    } catch (thrown) {
      const id = sessionAskedFor(request);
      if (!(thrown instanceof NamedError) || ![401, 410].includes(thrown.status) || id === null) throw thrown;
      const known = await deps.sessions.about(id);
      const course = known === null ? null : await deps.courses.find(known.session.courseId);
      response.locals["returnUrl"] = course?.courseUrl ?? null;
      if (request.method === "POST" || known === null) throw thrown;
      if (known.over !== null) throw known.over;
      if (tokenOf(request) !== null) throw thrown;
      // Of the page that may come in its place: recordings are elsewhere.
      allowFormsTo(response, ["https:"]);
      throw refusal("not-this-browser", { status: 401 });
    }
  };
}

export type FormSize = Partial<Pick<FormLimits, "maxBytes" | "maxFields">>;

/** A long form is read for those alone whose session is proven before. */
export function courseForm(deps: WayBackDeps, size: FormSize = {}): RequestHandler {
  return withWayBack(deps, async (request, _response, next) => {
    const prove = (first: string) => deps.sessions.readForEntry(shownToken(request, first));
    await readFormOf(request, { maxBytes: 64 * 1024, ...size, prove });
    next();
  });
}

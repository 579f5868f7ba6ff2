import express, { type Request, type Response, Router } from "express";
import type { Capability } from "../domain/staff-rights.ts";
import { refusal } from "../kernel/refusal.ts";
import { type Answer, type FrameValues, sendAnswer } from "./answer.ts";
import { courseNameOf } from "./course-words.ts";
import { type InstructorVisit, instructorVisit } from "./instructor-visit.ts";
import { type MyVisit, myVisit, type MyVisitDeps } from "./my-visit.ts";
import type { Translate, TranslatorOf } from "./translate.ts";

export type CoursePagesDeps = MyVisitDeps & { translatorOf: TranslatorOf };

/** member: anybody, about themselves · teaching: members who teach · a capability: staff whose role includes it. */
export type Reader = keyof Visits;

type Visits = { member: MyVisit; teaching: MyVisit } & Record<Capability, InstructorVisit>;

export type Asked<Who extends Reader, Fields> = {
  visit: Visits[Who];
  fields: Fields;
  t: Translate;
  /** The fields as they came, for `after`. */
  posted: unknown;
};

export const noFields = (): Record<string, never> => ({});

export type PageOptions<Who extends Reader, Fields> = {
  who: Who;
  /** Missing or wrong fields become their defaults. */
  fields: (posted: unknown) => Fields;
  /** Of the form that is sent (body-parser's options). */
  form?: { limit?: string; parameterLimit?: number };
};

/** A reading page, shown after a change. */
export type After = { kind: "after"; show: (request: Request) => Promise<Sent>; status: number };

export type ReadPage<News> = {
  /**
   * A change answers with this page as it is now.
   * @param posted The page's fields.
   * @param news What the page says about the change.
   */
  after: (posted: unknown, news: News | null, status?: number) => After;
};

/** With whose page it is. */
type Sent = { answer: Answer; visit: InstructorVisit };

/**
 * The pages of a course (record 0040): reads the session, parses the fields, and sends the answer in its frame. A page
 * is asked for by POST, with the session among its fields.
 */
export type CoursePages = {
  read: <Who extends Reader, Fields, News = never>(
    path: string,
    options: PageOptions<Who, Fields>,
    show: (asked: Asked<Who, Fields>, news: News | null) => Promise<Answer>,
  ) => ReadPage<News>;
  /** A page that another module mounts with `read`, for changes that lead to it. */
  elsewhere: <Who extends Reader, Fields, News>(
    path: string,
    options: PageOptions<Who, Fields>,
    show: (asked: Asked<Who, Fields>, news: News | null) => Promise<Answer>,
  ) => ReadPage<News>;
  /**
   * A change answers with a reading page and its news, or with a page of its own. One that shares its address with a
   * page stands before it, and `takes` its own requests only.
   */
  change: <Who extends Reader, Fields>(
    path: string,
    options: PageOptions<Who, Fields> & { takes?: (fields: Fields) => boolean },
    run: (asked: Asked<Who, Fields>) => Promise<Answer | After>,
  ) => void;
  router: Router;
};

export function coursePages(deps: CoursePagesDeps): CoursePages {
  const router = Router();
  const ask = async <Who extends Reader, Fields>(
    request: Request,
    { who, fields }: PageOptions<Who, Fields>,
    posted: unknown,
  ): Promise<Asked<Who, Fields>> => {
    const visit = await visits[who](deps, request);
    return { visit, fields: fields(posted), t: deps.translatorOf(visit.session.locale), posted };
  };
  const send = async (response: Response, { answer, visit }: Sent): Promise<void> => {
    await sendAnswer(response, answer, () => frameOf(deps, visit));
  };
  const elsewhere: CoursePages["elsewhere"] = (_path, options, show) => ({
    after: (posted, news, status = 200) => ({
      kind: "after",
      status,
      show: async (request) => {
        const asked = await ask(request, options, posted);
        return { answer: await show(asked, news), visit: asked.visit };
      },
    }),
  });
  return {
    read: (path, options, show) => {
      router.post(path, formOf(options), async (request, response) => {
        const asked = await ask(request, options, request.body ?? {});
        await send(response, { answer: await show(asked, null), visit: asked.visit });
      });
      return elsewhere(path, options, show);
    },
    elsewhere,
    change: (path, options, run) => {
      router.post(path, formOf(options), async (request, response, next) => {
        const posted: unknown = request.body ?? {};
        if (options.takes?.(options.fields(posted)) === false) {
          next();
          return;
        }
        const asked = await ask(request, options, posted);
        const answer = await run(asked);
        if (answer.kind === "after") {
          response.status(answer.status);
          await send(response, await answer.show(request));
        } else await send(response, { answer, visit: asked.visit });
      });
    },
    router,
  };
}

function formOf({ form }: Pick<PageOptions<Reader, unknown>, "form">) {
  return express.urlencoded({ extended: false, limit: "64kb", ...form });
}

export async function frameOf(
  deps: Pick<CoursePagesDeps, "translatorOf" | "sessions">,
  { session, course }: InstructorVisit,
): Promise<FrameValues> {
  const t = deps.translatorOf(session.locale);
  return { t, courseName: courseNameOf(t, course), session: await deps.sessions.issue(session) };
}

/** How each kind of reader is known; all throw a NamedError for others. */
const visits: { [Who in Reader]: (deps: CoursePagesDeps, request: Request) => Promise<Visits[Who]> } = {
  member: myVisit,
  teaching: async (deps, request) => {
    const visit = await myVisit(deps, request);
    if (visit.member.role !== "instructor") throw refusal("instructors-only", { status: 403 });
    return visit;
  },
  settings: (deps, request) => instructorVisit(deps, request, "settings"),
  grades: (deps, request) => instructorVisit(deps, request, "grades"),
  corrections: (deps, request) => instructorVisit(deps, request, "corrections"),
};

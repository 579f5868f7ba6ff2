import { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { type Answer, sendAnswer } from "./answer.ts";
import { type Browser, browserOf } from "./browser-of.ts";
import { type CourseWordsDeps, frameOf } from "./course-words.ts";
import { type Declaration, type DeclaredPage, declarePage, type PageModel } from "./declared-page.ts";
import {
  courseForm,
  type FormSize,
  type InstructorVisit,
  type MyVisitDeps,
  type Reader,
  visits,
  type Visits,
  withWayBack,
} from "./visits.ts";
import { newsField, typedField, type TypedForm } from "./page-news.ts";
import { sessionAskedFor, sessionFolder } from "./session-address.ts";
import {
  type AddressFields,
  addressBelow,
  addressOf,
  newsLength,
  pathOf,
  setPagePath,
  textsIn,
  withNews,
} from "./page-address.ts";
import type { Translate } from "./translate.ts";

export type CoursePagesDeps = MyVisitDeps & CourseWordsDeps & { clock: Pick<Clock, "now"> };

export type RequestContext<Who extends Reader, Fields> = {
  visit: Visits[Who];
  fields: Fields;
  t: Translate;
  browser: Browser;
  /** What the reader typed and has not saved, on the page of a form (`isForm`), and on pages about it (`typedAt`). */
  typed: TypedForm | null;
};

export const noFields = (): Record<string, never> => ({});

/** The revision that a form was shown with, which no stored one equals where it is missing. */
export const seenRevision = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .catch(-1);

export type PageOptions<Who extends Reader, Fields> = {
  who: Who;
  /** Missing or wrong fields become their defaults. */
  fields: z.ZodType<Fields> | ((posted: unknown) => Fields);
  /** The size of the posted form; 64 KB when left out. */
  form?: FormSize | undefined;
};

type ReadOptions<Who extends Reader, Fields, News> = PageOptions<Who, Fields> & {
  /** Reads news that were kept for the page; null for what it does not know. Needed by pages that have news. */
  news?: (stored: unknown) => News | null;
  /** The fields of the page's address, where a form asks for it with others. As posted when left out. */
  address?: (fields: Fields) => AddressFields;
  /** The page has a form with `typed` pages, and shows the latest input again. A form to `<path>/anew` gives it up. */
  isForm?: boolean;
};

type TypedOptions<Who extends Reader, Fields> = PageOptions<Who, Fields> & {
  /** The page of the form. What is typed there is kept with the session, so pages about it have addresses. */
  typedAt: string;
};

/** The page that a form is on, as the answer to it. */
export type Again = { kind: "again"; show: (request: Request) => Promise<Sent>; status: number };

export type Acted = Answer | After | Again;

export type After = {
  kind: "after";
  show: (request: Request) => Promise<Sent>;
  status: number;
  /** The page's own address; `news`: what it says, as small JSON. */
  path: string;
  fields: AddressFields;
  news: unknown;
};

export type ReadPage<News> = {
  /**
   * What a change answers with: this page as it is now.
   * @param fields The fields that the page is asked for.
   * @param news What the page says about the change: ids and numbers, no names.
   * @param status Where the page is sent without a redirect, as the answer to a form.
   */
  after: (fields: AddressFields, news: News | null, status?: number) => After;
  /** Answers a form with this page; whether its reader may open it is asked again. */
  again: (news: News, status: number) => Again;
};

/** With the visit that it answers. */
type Sent = { answer: Answer; visit: InstructorVisit };

/**
 * The pages of a course at which a session is needed: reads who asks, parses the fields, and sends the answer in its frame.
 *
 * A page that reads is asked for by GET where the browser proves the session by a cookie (`sessionAddresses`), and a change leads
 * there. Elsewhere forms ask for pages, with the session among their fields, and a change answers with the page.
 */
export type CoursePages<App = CoursePagesDeps> = {
  /** A page with a template, and the changes that start on it. */
  page: <Who extends Reader, Fields, Model extends PageModel, Message = never, News extends Message = never>(
    path: string,
    page: Declaration<App, Who, Fields, Model, Message, News>,
  ) => DeclaredPage<Fields, Message, News>;
  /** What is no page with a template: a file, a way elsewhere. */
  read: <Who extends Reader, Fields, News = never>(
    path: string,
    options: ReadOptions<Who, Fields, News>,
    show: (context: RequestContext<Who, Fields>, news: News | null) => Promise<Answer>,
  ) => ReadPage<News>;
  /** A page that another module mounts, for changes that lead to it. */
  elsewhere: <
    Who extends Reader,
    Fields,
    Model extends PageModel,
    Message = never,
    News extends Message = never,
  >(
    path: string,
    page: Declaration<App, Who, Fields, Model, Message, News>,
  ) => Pick<DeclaredPage<Fields, Message, News>, "after">;
  /** A page about what is typed into the form of another page, such as a preview. */
  typed: <Who extends Reader, Fields>(
    path: string,
    options: TypedOptions<Who, Fields>,
    show: (context: RequestContext<Who, Fields>) => Promise<Answer>,
  ) => void;
  /**
   * A change answers with a reading page and its news, or with its own page. One that shares its address with a
   * page is mounted before it, and `takes` its own requests only.
   */
  change: <Who extends Reader, Fields>(
    path: string,
    options: PageOptions<Who, Fields> & { takes?: (fields: Fields) => boolean },
    run: (context: RequestContext<Who, Fields>) => Promise<Acted>,
  ) => void;
  router: Router;
};

export function coursePages<App extends CoursePagesDeps>(deps: App): CoursePages<App> {
  const router = Router();
  const ask = async <Who extends Reader, Fields>(
    request: Request,
    { who, fields }: PageOptions<Who, Fields>,
    posted: unknown,
  ): Promise<RequestContext<Who, Fields>> => {
    const visit = await visits[who](deps, request);
    const t = deps.translatorOf(visit.session.locale);
    return { visit, fields: parse(fields, posted), t, browser: browserOf(request), typed: null };
  };
  /** For a page that reads: with what was typed into its form. */
  const askPage = async <Who extends Reader, Fields>(
    request: Request,
    path: string,
    options: PageOptions<Who, Fields> & { isForm?: boolean },
    posted: unknown,
  ): Promise<RequestContext<Who, Fields>> => {
    const context = await ask(request, options, posted);
    if (options.isForm !== true) return context;
    return { ...context, typed: await deps.sessions.typed.latest(context.visit.session, path) };
  };
  const send = async (response: Response, { answer, visit }: Sent): Promise<void> => {
    await sendAnswer(response, answer, () => frameOf(deps, visit));
  };
  const unmounted: CoursePages["read"] = (path, options, show) => {
    const sentFor = async (
      request: Request,
      posted: unknown,
      news: Parameters<typeof show>[1],
    ): Promise<Sent> => {
      const context = await askPage(request, path, options, posted);
      return { answer: await show(context, news), visit: context.visit };
    };
    return {
      after: (fields, news, status = 200) => {
        if (news !== null && options.news === undefined) throw new Error(`${path} does not read its news`);
        return {
          kind: "after",
          status,
          path,
          fields,
          news,
          show: (request) => sentFor(request, fields, news),
        };
      },
      again: (news, status) => ({
        kind: "again",
        status,
        show: (request) => sentFor(request, request.body ?? {}, news),
      }),
    };
  };
  /** To the page that a change has changed. */
  const leadOn = async (request: Request, response: Response, visit: InstructorVisit, after: After) => {
    const address = addressOf(request, after.path, after.fields, newsLength);
    if (address !== null) {
      const stored = await deps.sessions.news.keep(visit.session, after.path, after.news);
      response.redirect(303, stored === null ? address : withNews(address, stored));
      return;
    }
    response.status(after.status);
    setPagePath(request, response, pathOf(after.path, after.fields));
    await send(response, await after.show(request));
  };
  const change: CoursePages["change"] = (path, options, run) => {
    router.post(
      path,
      courseForm(deps, options.form),
      withWayBack(deps, async (request, response, next) => {
        const posted: unknown = request.body ?? {};
        if (options.takes?.(parse(options.fields, posted)) === false) {
          next();
          return;
        }
        const context = await ask(request, options, posted);
        const answer = await run(context);
        if (answer.kind === "after") {
          await leadOn(request, response, context.visit, answer);
          return;
        }
        setPagePath(request, response);
        if (answer.kind === "again") response.status(answer.status);
        await send(
          response,
          answer.kind === "again" ? await answer.show(request) : { answer, visit: context.visit },
        );
      }),
    );
  };
  const read: CoursePages["read"] = (path, options, show) => {
    const own = unmounted(path, options, show);
    router.get(
      path,
      withWayBack(deps, async (request, response, next) => {
        if (sessionAskedFor(request) === null) {
          next();
          return;
        }
        const context = await askPage(request, path, options, request.query);
        const stored = await deps.sessions.news.take(context.visit.session, path, request.query[newsField]);
        const news = stored === null ? null : (options.news?.(stored) ?? null);
        const { [newsField]: _shownOnce, launched: _shown, ...fields } = textsIn(request.query);
        setPagePath(request, response, pathOf(path, fields));
        await send(response, { answer: await show(context, news), visit: context.visit });
      }),
    );
    router.post(
      path,
      courseForm(deps, options.form),
      withWayBack(deps, async (request, response) => {
        const posted: unknown = request.body ?? {};
        const fields = options.address?.(parse(options.fields, posted)) ?? textsIn(posted);
        const address = addressOf(request, path, fields);
        if (address !== null) {
          response.redirect(303, address);
          return;
        }
        const context = await askPage(request, path, options, posted);
        setPagePath(request, response, pathOf(path, fields));
        await send(response, { answer: await show(context, null), visit: context.visit });
      }),
    );
    if (options.isForm === true)
      router.post(
        `${path}/anew`,
        courseForm(deps, options.form),
        withWayBack(deps, async (request, response) => {
          const posted: unknown = request.body ?? {};
          const { visit } = await ask(request, options, posted);
          await deps.sessions.typed.drop(visit.session, path);
          const fields = options.address?.(parse(options.fields, posted)) ?? {};
          await leadOn(request, response, visit, own.after(fields, null));
        }),
      );
    return own;
  };
  return {
    page: (path, declared) => declarePage(deps, { read, change }, path, declared),
    read,
    typed: (path, options, show) => {
      const answers = async (response: Response, context: Parameters<typeof show>[0]) => {
        await send(response, { answer: await show(context), visit: context.visit });
      };
      router.get(
        path,
        withWayBack(deps, async (request, response, next) => {
          const id = sessionAskedFor(request);
          if (id === null) {
            next();
            return;
          }
          const { typedAt } = options;
          const context = await ask(request, options, {});
          const name = request.query[typedField];
          const typed = await deps.sessions.typed.find(context.visit.session, typedAt, name);
          if (typed === null) response.redirect(303, sessionFolder(id) + addressBelow(typedAt, {}));
          else {
            setPagePath(request, response, pathOf(path, { [typedField]: typed.name }));
            await answers(response, { ...context, fields: parse(options.fields, typed.posted), typed });
          }
        }),
      );
      router.post(
        path,
        courseForm(deps, options.form),
        withWayBack(deps, async (request, response) => {
          const posted: unknown = request.body ?? {};
          const context = await ask(request, options, posted);
          const typed = await deps.sessions.typed.keep(context.visit.session, options.typedAt, posted);
          const address = typed === null ? null : addressOf(request, path, { [typedField]: typed.name });
          if (address !== null) response.redirect(303, address);
          else {
            setPagePath(
              request,
              response,
              typed === null ? undefined : pathOf(path, { [typedField]: typed.name }),
            );
            await answers(response, { ...context, typed });
          }
        }),
      );
    },
    elsewhere: (path, declared) => declarePage(deps, { read: unmounted, change }, path, declared),
    change,
    router,
  };
}

function parse<Fields>(fields: PageOptions<Reader, Fields>["fields"], posted: unknown): Fields {
  return typeof fields === "function" ? fields(posted) : fields.parse(posted);
}

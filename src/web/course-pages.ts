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
  /** What the reader typed but hasn't saved, on the page of a form (`isForm`) and on pages about it (`typedAt`). */
  typed: TypedForm | null;
};

export const noFields = (): Record<string, never> => ({});

/** The revision at which a form was shown. If it is missing, -1, which matches no stored revision. */
export const seenRevision = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .catch(-1);

export type PageOptions<Who extends Reader, Fields> = {
  who: Who;
  /** Fields that are missing or wrong get their defaults. */
  fields: z.ZodType<Fields> | ((posted: unknown) => Fields);
  /** Limits of the posted form; default: 64 KB. */
  form?: FormSize | undefined;
};

type ReadOptions<Who extends Reader, Fields, News> = PageOptions<Who, Fields> & {
  /** Reads news that were stored for the page; null if it doesn't know them. Pages with news need it. */
  news?: (stored: unknown) => News | null;
  /** The fields of the page's address, if a form asks for the page with others. Default: the posted fields. */
  address?: (fields: Fields) => AddressFields;
  /** The page has a form with `typed` pages, and shows the latest input again. A form to `<path>/anew` discards that input. */
  isForm?: boolean;
};

type TypedOptions<Who extends Reader, Fields> = PageOptions<Who, Fields> & {
  /** The page of the form. The session stores what is typed there, so pages about it have addresses. */
  typedAt: string;
};

/** Answers a form with the page that it is on. */
export type Again = { kind: "again"; show: (request: Request) => Promise<Sent>; status: number };

export type Acted = Answer | After | Again;

export type After = {
  kind: "after";
  show: (request: Request) => Promise<Sent>;
  status: number;
  /** The page's own address. `news`: what the page should say, as small JSON. */
  path: string;
  fields: AddressFields;
  news: unknown;
};

export type ReadPage<News> = {
  /**
   * Answers a change with this page in its new state.
   * @param fields The fields that the page is asked for.
   * @param news What the page says about the change: ids and numbers, no names.
   * @param status The status if the page is sent without a redirect, as the answer to a form.
   */
  after: (fields: AddressFields, news: News | null, status?: number) => After;
  /** Answers a form with this page, after checking again whether the reader may open it. */
  again: (news: News, status: number) => Again;
};

/** An answer and the visit it is for. */
type Sent = { answer: Answer; visit: InstructorVisit };

/**
 * The pages of a course that need a session. Finds out who asks, parses the fields, and sends the answer in its frame.
 * || If a cookie proves the session (`sessionAddresses`), pages are requested by GET and a change redirects to one. Otherwise forms request
 * pages, with the session in a field, and a change answers with the page.
 */
export type CoursePages<App = CoursePagesDeps> = {
  /** Declares a page with a template, and the changes that start on it. */
  page: <Who extends Reader, Fields, Model extends PageModel, Message = never, News extends Message = never>(
    path: string,
    page: Declaration<App, Who, Fields, Model, Message, News>,
  ) => DeclaredPage<Fields, Message, News>;
  /** Declares a GET without a template, such as a file or a redirect. */
  read: <Who extends Reader, Fields, News = never>(
    path: string,
    options: ReadOptions<Who, Fields, News>,
    show: (context: RequestContext<Who, Fields>, news: News | null) => Promise<Answer>,
  ) => ReadPage<News>;
  /** Declares a page that another module mounts, for changes that lead to it. */
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
  /** Declares a page about the typed form of another page, such as a preview. */
  typed: <Who extends Reader, Fields>(
    path: string,
    options: TypedOptions<Who, Fields>,
    show: (context: RequestContext<Who, Fields>) => Promise<Answer>,
  ) => void;
  /**
   * Declares a change. It answers with another page and its news, or with its own page. A change with the same address as a
   * page is mounted before it, and `takes` says which requests are its own.
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
  /** As `ask`, for a page that reads; adds what was typed into its form. */
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
        if (news !== null && options.news === undefined)
          throw new Error(`${path} sends news that its page does not read`);
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
  /** Leads to the page that shows the result of a change. */
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

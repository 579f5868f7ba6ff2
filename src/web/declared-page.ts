import type { z } from "zod";
import { NamedError } from "../kernel/errors.ts";
import type { Answer, PageAnswer } from "./answer.ts";
import type {
  Acted,
  After,
  Again,
  RequestContext,
  CoursePages,
  CoursePagesDeps,
  PageOptions,
} from "./course-pages.ts";
import {
  type HidesNothing,
  type PageFrame,
  pageWords,
  type PageWords,
  templateWords,
} from "./course-words.ts";
import type { AddressFields } from "./page-address.ts";
import { readNews } from "./page-news.ts";
import type { View } from "./view.ts";
import type { Reader } from "./visits.ts";

/** Input for the function that makes a page's model. */
export type PageContext<Who extends Reader, Fields = Record<string, never>> = RequestContext<Who, Fields> & {
  words: PageWords;
};

/** The parts that every model has; `httpStatus` is 200 when left out. */
export type PageModel = { title: string; httpStatus?: number };

/** Status of a form's page: 409 if another change came first, 422 if a value is wrong, otherwise 200. */
export function formStatus(isStale: boolean, isWrong: boolean): number {
  if (isStale) return 409;
  return isWrong ? 422 : 200;
}

/** A page: who may open it, its fields, its template, and the function that makes the template's model. */
export type Declaration<App, Who extends Reader, Fields, Model, Message, News> = PageOptions<Who, Fields> & {
  /** The fields of the page's address; none when left out. */
  address?: (fields: Fields) => AddressFields;
  /** What is stored for the page that a change leads to: small JSON, ids and numbers, no names. */
  news?: z.ZodType<News>;
  /** The page shows the latest input of its form again. A form to `<path>/anew` discards it. */
  isForm?: boolean;
  /** Where forms of the page may lead, besides this tool. */
  formsTo?: readonly string[];
  view: View<NoInfer<Model> & PageFrame>;
  /** Answers with another page at the same address, such as a list if nothing is chosen; null: with this page. */
  instead?: (context: RequestContext<Who, Fields>) => Promise<Answer> | null;
  /** @param message What the page says about a change: its news, or the message of an `again`. */
  model: (app: App, page: PageContext<Who, Fields>, message: Message | null) => Promise<Model & HidesNothing>;
};

/** Input for a change that starts on a page. */
type ActContext<Who extends Reader, Fields, Message, News> = RequestContext<Who, Fields> & {
  /** Leads to the page. @param fields The fields of its address, if they differ from those of the change. */
  after: (news: News | null, status?: number, fields?: AddressFields) => After;
  /** Answers with the page, after checking again whether the reader may open it. */
  again: (message: Message, status: number) => Again;
};

type Act<Who extends Reader, Fields, Message, News> = {
  /** Who may make the change; it may differ from who may open the page. */
  who: Who;
  run: (context: ActContext<Who, Fields, Message, News>) => Promise<Acted>;
  /** Shows an expected error on the page; null: the error page shows it. */
  failed?: (error: NamedError, context: ActContext<Who, Fields, Message, News>) => Acted | null;
};

export type DeclaredPage<Fields, Message, News> = {
  /** For changes that start on other pages, as in `ReadPage`. */
  after: (fields: AddressFields, news: News | null, status?: number) => After;
  /** Adds a change that starts on the page. Its form includes the page's fields. */
  act: <Who extends Reader>(
    path: string,
    act: Act<Who, Fields, Message, News>,
  ) => DeclaredPage<Fields, Message, News>;
};

/** Answers with a page, for an address that shows one of several pages. */
export async function showPage<
  App extends CoursePagesDeps,
  Who extends Reader,
  Fields,
  Model extends PageModel,
  Message,
>(
  app: App,
  context: RequestContext<Who, Fields>,
  {
    view,
    model,
    formsTo = [],
  }: {
    view: View<NoInfer<Model> & PageFrame>;
    model: (app: App, context: PageContext<Who, Fields>, message: Message) => Promise<Model & HidesNothing>;
    formsTo?: readonly string[];
  },
  message: NoInfer<Message>,
): Promise<PageAnswer> {
  const words = await pageWords(app, context.visit, app.clock.now());
  const { httpStatus: status, ...own } = await model(app, { ...context, words }, message);
  const { template } = view;
  return { kind: "page", template, model: { ...templateWords(words), ...own }, status, formsTo };
}

export function declarePage<
  App extends CoursePagesDeps,
  Who extends Reader,
  Fields,
  Model extends PageModel,
  Message,
  News extends Message,
>(
  app: App,
  { read, change }: Pick<CoursePages, "read" | "change">,
  path: string,
  declared: Declaration<App, Who, Fields, Model, Message, News>,
): DeclaredPage<Fields, Message, News> {
  const { fields, form, address = () => ({}), news } = declared;
  const readStored: (stored: unknown) => Message | null = news === undefined ? () => null : readNews(news);
  const { after, again } = read(
    path,
    { ...declared, address, news: readStored },
    (context, message) => declared.instead?.(context) ?? showPage(app, context, declared, message),
  );
  const page: DeclaredPage<Fields, Message, News> = {
    after,
    act: (actPath, { who, run, failed }) => {
      change(actPath, { who, fields, form }, async (given) => {
        const context = {
          ...given,
          again,
          after: (stored: News | null, status?: number, to = address(given.fields)) =>
            after(to, stored, status),
        };
        try {
          return await run(context);
        } catch (thrown) {
          const answer = thrown instanceof NamedError ? failed?.(thrown, context) : null;
          if (answer == null) throw thrown;
          return answer;
        }
      });
      return page;
    },
  };
  return page;
}

import type { Brand } from "../modules/courses/rules/institution-look.ts";
import type { PageParts } from "./page-parts.ts";
import type { PagePlace, PageWays } from "./page-ways.ts";

/** A template with the type of what it shows; the template's first line names the same type, and `npm run views` checks it by that. */
export type View<Model extends object> = {
  readonly template: string;
  readonly shows?: (model: Model) => void;
};

/** What templates read beside their model: `setTemplateLocals` sets `hides`, `createFraming` sets `brand`, `createWebApp` sets `hasMail`, and `renderTemplate` adds the rest to a page with a session. */
export type TemplateLocals = { hides?: readonly string[]; brand?: Brand; hasMail?: boolean } & PageParts &
  PageWays &
  PagePlace;

/** @param template Below `views`, without its ending: "recordings/index". */
export function defineView<Model extends object>(template: string): View<Model> {
  return { template };
}

export type PageResponse = { render: (template: string, values: object) => void };

export function renderView<Model extends object>(
  response: PageResponse,
  view: View<Model>,
  model: NoInfer<Model>,
): void {
  response.render(view.template, model);
}

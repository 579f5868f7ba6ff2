/** A template with its model's type; the template's first line names it, too, and `npm run views` checks both. */
export type View<Model extends object> = {
  readonly template: string;
  readonly shows?: (model: Model) => void;
};

/** Beside the model: `tellTemplates` sets `hides`; pages with a session get `sessionField`. */
export type TemplateLocals = { hides?: readonly string[]; sessionField: string };

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

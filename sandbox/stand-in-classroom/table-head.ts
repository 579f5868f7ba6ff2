import { html, type Html } from "./html.ts";

export function tableHead(...titles: readonly string[]): Html {
  return html`<thead>
    <tr>
      ${titles.map((title) => html`<th scope="col">${title}</th>`)}
    </tr>
  </thead>`;
}

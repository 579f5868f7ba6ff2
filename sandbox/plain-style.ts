import { html } from "./html.ts";

/** How pages of the demo itself look: a column of text, light or dark. */
export const plainStyle = html`<style>
  :root {
    color-scheme: light dark;
  }
  body {
    font:
      1rem/1.55 system-ui,
      sans-serif;
    max-width: 50rem;
    margin: 0 auto;
    padding: 1.5rem 1rem;
  }
</style>`;

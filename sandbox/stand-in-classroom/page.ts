import { html, type Html } from "./html.ts";

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent); --accent: #0b62a3; --paper: #ffffff; --ink: #1b1b1b; }
@media (prefers-color-scheme: dark) { :root { --accent: #7cc0f5; --paper: #16181b; --ink: #f0f0f0; } }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); }
body { background: var(--paper); overflow-wrap: break-word; font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
a { color: var(--accent); }
.stand-in { font-size: .875rem; border-bottom: 1px solid var(--line); padding-bottom: .5rem; margin-bottom: 1rem; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; font-weight: 600; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.scroll { overflow-x: auto; }
form { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; margin: .5rem 0; }
label { display: grid; gap: .125rem; font-size: .875rem; min-width: 8rem; }
label.tick { display: flex; align-items: center; min-width: 0; }
input, select, button { font: inherit; padding: .375rem .5rem; min-height: 2.25rem; max-width: 100%; }
input[type=checkbox] { min-height: 1.5rem; min-width: 1.5rem; }
details { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; margin: .5rem 0; }
summary { cursor: pointer; min-height: 1.5rem; font-weight: 600; }
.panel > h2 { margin-top: 0; }
.panel { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin: .75rem 0; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/** `refreshSeconds` reloads it. */
export function page(options: {
  title: string;
  language?: string;
  refreshSeconds?: number;
  main: Html;
  script?: Html;
}): string {
  const refresh =
    options.refreshSeconds === undefined
      ? null
      : html`<meta http-equiv="refresh" content="${options.refreshSeconds}" />`;
  return html`<!doctype html>
    <html lang="${options.language ?? "en"}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        ${refresh}
        <title>${options.title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        <header class="stand-in" lang="en">
          Stand-in classroom, for trying things out. No video, no sound.
        </header>
        <main>${options.main}</main>
        ${
          options.script === undefined
            ? null
            : html`<script type="module">
                ${options.script};
              </script>`
        }
      </body>
    </html>`.markup;
}

/** The style of all pages of the sandbox: a column of text, light or dark as the reader prefers. */
export const plainStyle = `
:root { color-scheme: light dark; --ink: #1d2125; --soft: #5b6570; --line: #d3d9df; --paper: #ffffff;
  --tint: #f3f6f9; --accent: #0b5fa5; --accent-ink: #ffffff; --mark: #fff2cc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a4adb8; --line: #3b434c; --paper: #16191d;
  --tint: #20252b; --accent: #7ab8f0; --accent-ink: #10151b; --mark: #4b3d10; } }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 1rem; } h2 { font-size: 1.125rem; margin: 1.75rem 0 .5rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button, input, select { font: inherit; padding: .4rem .5rem; min-height: 2.25rem; max-width: 100%; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .5rem; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; }
`;

// Imitates nothing.
/** Follows the reader's light or dark setting. */
export const style = `
:root { color-scheme: light dark; --ink: #1d2125; --soft: #5b6570; --line: #d3d9df; --paper: #ffffff;
  --tint: #f3f6f9; --accent: #0b5fa5; --accent-ink: #ffffff; --mark: #fff2cc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a4adb8; --line: #3b434c; --paper: #16191d;
  --tint: #20252b; --accent: #7ab8f0; --accent-ink: #10151b; --mark: #4b3d10; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; padding: .75rem 1rem;
  border-bottom: 1px solid var(--line); background: var(--tint); }
header nav { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-left: auto; }
.brand { font-weight: 700; text-decoration: none; color: inherit; }
.note { color: var(--soft); font-size: .875rem; }
main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 1rem; }
h2 { font-size: 1.125rem; margin: 1.75rem 0 .5rem; }
a { color: var(--accent); }
.skip { position: absolute; left: -99rem; } .skip:focus { left: .5rem; top: .5rem; background: var(--paper); padding: .5rem; }
button, .button { font: inherit; min-height: 2.5rem; padding: .35rem .9rem; border: 1px solid var(--accent); border-radius: .375rem;
  background: var(--accent); color: var(--accent-ink); cursor: pointer; text-decoration: none; display: inline-block; }
button.plain, .button.plain { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
input, select { font: inherit; padding: .4rem .5rem; border: 1px solid var(--soft); border-radius: .375rem; background: var(--paper);
  color: var(--ink); max-width: 100%; }
input[type=text], input[type=url] { width: 100%; }
label { display: block; font-weight: 600; margin-top: .75rem; }
label.beside { display: inline-flex; gap: .5rem; align-items: center; font-weight: 400; }
.list { list-style: none; padding: 0; display: grid; gap: .5rem; }
.people { grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); }
.people button { width: 100%; text-align: left; }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
.grow { flex: 1 1 12rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .5rem; }
th, td { border-bottom: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; }
thead th { background: var(--tint); }
td.grade { text-align: right; } td.own { background: var(--mark); }
td.grade small { display: block; color: var(--soft); text-align: left; }
dl { display: grid; grid-template-columns: minmax(8rem, auto) 1fr; gap: .25rem 1rem; } dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
iframe.tool { width: 100%; height: max(600px, calc(100vh - 12rem)); border: 1px solid var(--line); border-radius: .375rem; background: #fff; }
.frame600 { max-width: 600px; }
`;

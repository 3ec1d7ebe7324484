/** The look of the pages, inside each of them, so that one request shows a whole page and no other address is needed. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d2521; --soft: #5b6861; --paper: #fbfcfa; --panel: #f0f4f0; --line: #d9e1da;
  --accent: #1c6b45; --key: #1c6b45; --text: #8a4b12; --value: #37549e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e9e4; --soft: #9aa8a0; --paper: #141916; --panel: #1d2420; --line: #313b35;
    --accent: #74cfa0; --key: #74cfa0; --text: #e3b078; --value: #9db8f2; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
header, main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.5rem; font-size: .9rem; color: var(--soft); }
footer { padding: 2rem 1.25rem 3rem; font-size: .9rem; color: var(--soft); }
a { color: var(--accent); text-underline-offset: .15em; }
a:has(> code) { text-underline-offset: .35em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h1 { margin: 1.5rem 0 .25rem; font-size: 1.9rem; line-height: 1.2; overflow-wrap: anywhere; }
h1 code { padding: 0; background: none; font-size: 1em; }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.2rem; }
.title { margin: 0 0 1.25rem; color: var(--soft); }
.status { display: inline-block; margin-right: .5rem; padding: 0 .5rem; border-radius: .3rem; background: var(--accent);
  color: var(--paper); font-weight: 600; font-variant-numeric: tabular-nums; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .9em; }
code { padding: .1em .3em; border-radius: .25rem; background: var(--panel); overflow-wrap: anywhere; }
pre { padding: .9rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--panel); line-height: 1.5; }
pre code { padding: 0; background: none; white-space: pre-wrap; overflow-wrap: break-word; }
.k { color: var(--key); } .s { color: var(--text); } .v { color: var(--value); }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .95rem; }
th, td { padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td a code { white-space: nowrap; }
`.trim();

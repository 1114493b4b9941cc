/**
 * The style sheet of the console. Lengths are in rem, which follows the text size of the reader. Colors have a contrast
 * of at least 4.5 to 1 for text and 3 to 1 for the borders of controls, in both color schemes.
 */
export const consoleStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f9, #0f1216);
  --card: light-dark(#fff, #171b21);
  --raised: light-dark(#fff, #1d222a);
  --ink: light-dark(#171b22, #e9ecf1);
  --soft: light-dark(#59626f, #a2acba);
  --line: light-dark(#e3e6eb, #2a303a);
  --edge: light-dark(#878f9c, #6f7988);
  --hover: light-dark(#f1f3f6, #20262f);
  --accent: light-dark(#1d5bd0, #8ab4ff);
  --accent-strong: light-dark(#174bb0, #a9c7ff);
  --on-accent: light-dark(#fff, #0d1420);
  --tint: light-dark(#eaf1fd, #1b2942);
  --good: light-dark(#11683a, #7ed9a4);
  --good-tint: light-dark(#e5f5ec, #13291e);
  --warn: light-dark(#855000, #f2c06b);
  --warn-tint: light-dark(#fdf2dd, #2e2412);
  --bad: light-dark(#b3261e, #ff9d94);
  --bad-tint: light-dark(#fdeceb, #351918);
  --bad-fill: light-dark(#b3261e, #ff9d94);
  --on-bad: light-dark(#fff, #2a0a08);
  --shadow: 0 1px 2px light-dark(#1018280d, #0006);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, Consolas, monospace;
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 5rem; }
body { margin: 0; background: var(--page); color: var(--ink); font: .9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1, h2, h3, p, dl, dd, ul, ol, table, figure, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; overflow-wrap: anywhere; }
h2 { font-size: 1rem; line-height: 1.4; font-weight: 650; letter-spacing: -.005em; }
a { color: var(--accent); text-decoration: none; }
a:hover { color: var(--accent-strong); text-decoration: underline; text-underline-offset: .2em; }
p a:not(.button), li a.inline { text-decoration: underline; text-underline-offset: .2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
code, pre, .mono { font-family: var(--mono); font-size: .8438rem; }
code { overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: 1rem; top: -4rem; z-index: 9; padding: .5rem 1rem; background: var(--raised); border-radius: .5rem; }
.skip:focus { top: .75rem; }
.soft { color: var(--soft); }
[hidden] { display: none !important; }
.icon { width: 1.125rem; height: 1.125rem; flex: none; }

.top { position: sticky; top: 0; z-index: 3; display: flex; align-items: center; gap: 1rem; height: 3.5rem; padding-inline: 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: .625rem; font-weight: 650; color: var(--ink); white-space: nowrap; letter-spacing: -.01em; }
.brand:hover { color: var(--ink); text-decoration: none; }
.brand .mark { width: 1.625rem; height: 1.625rem; }
.tenant { display: flex; align-items: center; min-width: 0; gap: .5rem; padding: .25rem .625rem; border: 1px solid var(--line); border-radius: .5rem; color: var(--ink); font-size: .875rem; }
.tenant:hover { background: var(--hover); text-decoration: none; color: var(--ink); }
.tenant bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.find { position: relative; flex: 1; max-width: 26rem; margin-inline-start: auto; }
.find .icon { position: absolute; inset-inline-start: .625rem; top: 50%; translate: 0 -50%; color: var(--soft); pointer-events: none; }
.find input { width: 100%; height: 2.25rem; padding-inline: 2.125rem .75rem; background: var(--page); border-color: var(--line); }
.find input::placeholder { color: var(--soft); opacity: 1; }
.find kbd { position: absolute; inset-inline-end: .5rem; top: 50%; translate: 0 -50%; pointer-events: none; }
kbd { padding: 0 .375rem; border: 1px solid var(--line); border-radius: .3125rem; background: var(--card); color: var(--soft); font: .75rem/1.25rem var(--mono); }
.account { position: relative; }
.account summary { display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 50%; cursor: pointer; list-style: none; }
.account summary::-webkit-details-marker { display: none; }
.account-menu { position: absolute; inset-inline-end: 0; top: 2.75rem; width: max-content; min-width: 13rem; max-width: min(20rem, 90vw); padding: .5rem; background: var(--raised); border: 1px solid var(--line); border-radius: .75rem; box-shadow: 0 .5rem 1.5rem light-dark(#10182824, #0009); }
.account-menu p { padding: .375rem .625rem .5rem; overflow-wrap: anywhere; }
.account-menu .button { width: 100%; justify-content: flex-start; border-color: transparent; background: none; box-shadow: none; }
.account-menu .button:hover { background: var(--hover); }
.initials { display: grid; place-items: center; flex: none; width: 2rem; height: 2rem; border-radius: 50%; background: var(--tint); color: var(--accent-strong); font-size: .75rem; font-weight: 650; letter-spacing: .02em; }
.shell { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); }
.side { min-height: calc(100dvh - 3.5rem); padding: 1.25rem .75rem; border-inline-end: 1px solid var(--line); }
.side ul { position: sticky; top: 4.75rem; display: grid; gap: .125rem; }
.side a { display: flex; align-items: center; gap: .75rem; padding: .4375rem .75rem; border-radius: .5rem; color: var(--soft); font-weight: 550; }
.side a:hover { background: var(--hover); color: var(--ink); text-decoration: none; }
.side a[aria-current] { background: var(--tint); color: var(--accent-strong); }
main { min-width: 0; max-width: 74rem; padding: 1.5rem 2rem 4rem; overflow-wrap: anywhere; }
main:focus { outline: none; }
.trail { display: flex; flex-wrap: wrap; gap: .375rem; margin-bottom: .5rem; font-size: .8438rem; }
.trail li { display: flex; gap: .375rem; color: var(--soft); }
.trail a { color: var(--soft); }
.heading { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1rem; }
.bar { margin-bottom: 1.25rem; }
.heading > div:first-child { flex: 1 1 16rem; min-width: 0; }
.heading .line { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .625rem; }
.heading .id { margin-top: .25rem; color: var(--soft); }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
td .actions { flex-wrap: nowrap; }
.tabs { display: flex; gap: .25rem; margin-bottom: 1.25rem; border-bottom: 1px solid var(--line); overflow-x: auto; scrollbar-width: none; }
.tabs a { padding: .5rem .75rem .5625rem; color: var(--soft); font-weight: 550; white-space: nowrap; border-bottom: 2px solid transparent; margin-bottom: -1px; }
.tabs a:hover { color: var(--ink); text-decoration: none; border-color: var(--edge); }
.tabs a:focus-visible { outline-offset: -2px; }
.tabs a[aria-current] { color: var(--accent-strong); border-color: var(--accent); }

.stack > *, .columns > * { min-width: 0; }
.stack { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
.columns { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; box-shadow: var(--shadow); min-width: 0; }
.card > header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; padding: .875rem 1.25rem; border-bottom: 1px solid var(--line); }
.card > header p { flex-basis: 100%; margin-top: -.25rem; color: var(--soft); font-size: .875rem; }
.card > .in { padding: 1.25rem; }
.card.danger { border-color: light-dark(#f0b9b5, #5c2b28); }
.danger-row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem 1.5rem; padding: 1rem 1.25rem; }
.danger-row + .danger-row { border-top: 1px solid var(--line); }
.danger-row > div { flex: 1 1 18rem; }
.danger-row strong { font-weight: 600; }

.facts { display: grid; grid-template-columns: minmax(8rem, 12rem) minmax(0, 1fr); }
.facts > div { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; gap: 1rem; padding: .625rem 1.25rem; }
.facts > div + div { border-top: 1px solid var(--line); }
.facts dt { color: var(--soft); }
.facts dd { overflow-wrap: anywhere; }

.table-box { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; text-align: start; }
th { padding: .5625rem .75rem; color: var(--soft); font-size: .8125rem; font-weight: 550; text-align: start; white-space: nowrap; border-bottom: 1px solid var(--line); }
td { max-width: 20rem; padding: .625rem .75rem; vertical-align: middle; overflow-wrap: break-word; }
tr > :first-child { padding-inline-start: 1.25rem; }
tr > :last-child { padding-inline-end: 1.25rem; }
tbody tr + tr td, tbody tr + tr th { border-top: 1px solid var(--line); }
tbody tr:hover { background: var(--hover); }
tbody tr.marked { background: var(--tint); }
tbody th { padding-block: .625rem; color: inherit; font: inherit; white-space: normal; border-bottom: 0; overflow-wrap: anywhere; }
td.tight, th.tight { width: 1%; white-space: nowrap; }
th a[aria-current] { color: var(--ink); }
.who { display: flex; align-items: center; gap: .75rem; min-width: 0; }
.who > span:last-child { min-width: 0; }
.who a { color: var(--ink); font-weight: 550; }
.who .badge { flex: none; }
.who a:hover { color: var(--accent-strong); }
.who small { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
td.minor { color: var(--soft); font-size: .875rem; }
td small { display: block; color: var(--soft); font-size: .8438rem; }

.badge { display: inline-flex; align-items: center; gap: .375rem; padding: .0625rem .5rem; border-radius: 1rem; background: var(--hover); color: var(--soft); font-size: .8125rem; font-weight: 550; line-height: 1.375rem; }
.badge::before { content: ""; flex: none; width: .375rem; height: .375rem; border-radius: 50%; background: currentColor; }
.badge.good { background: var(--good-tint); color: var(--good); }
.badge.warn { background: var(--warn-tint); color: var(--warn); }
.badge.bad { background: var(--bad-tint); color: var(--bad); }

.button { display: inline-flex; align-items: center; justify-content: center; gap: .5rem; min-height: 2.25rem; padding: .3125rem .875rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); color: var(--ink); font: inherit; font-size: .875rem; font-weight: 550; line-height: 1.4; cursor: pointer; box-shadow: var(--shadow); }
.button:hover { background: var(--hover); color: var(--ink); text-decoration: none; }
.button.main { background: var(--accent); border-color: transparent; color: var(--on-accent); }
.button.main:hover { background: var(--accent-strong); }
.button.bad { color: var(--bad); }
.button.bad.main { background: var(--bad-fill); color: var(--on-bad); }
.button.small { min-height: 1.875rem; padding: .125rem .625rem; font-size: .8125rem; }
.copy { display: inline-grid; place-items: center; width: 1.75rem; height: 1.75rem; margin-inline-start: .125rem; padding: 0; border: 0; border-radius: .375rem; background: none; color: var(--soft); vertical-align: middle; cursor: pointer; }
.copy:hover { background: var(--hover); color: var(--ink); }
.copy .icon { width: .9375rem; height: .9375rem; }

input, textarea, select { font: inherit; color: inherit; }
:where(input:not([type="checkbox"], [type="radio"])), textarea, select { width: 100%; min-height: 2.375rem; padding: .375rem .75rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--card); }
select { appearance: none; padding-inline-end: 2.125rem; background: var(--card) no-repeat right .75rem center / .75rem url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 12'%3E%3Cpath d='m2 4 4 4 4-4' fill='none' stroke='%23818998' stroke-width='1.8' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"); text-overflow: ellipsis; }
textarea { min-height: 8rem; font-family: var(--mono); font-size: .8438rem; resize: vertical; }
textarea.lines { min-height: 5rem; }
textarea.tall { min-height: 18rem; }
.beside { display: grid; gap: 1rem; align-items: start; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }
.preview { display: block; width: 100%; height: 36rem; border: 0; border-radius: 0 0 .75rem .75rem; }
input[aria-invalid], textarea[aria-invalid], textarea.wrong { border-color: var(--bad); }
.form { display: grid; gap: 1.125rem; max-width: 40rem; }
.form.wide { max-width: none; }
.label, .form label:not(.choice) { display: block; margin-bottom: .3125rem; font-weight: 550; }
.narrow { max-width: 24rem; margin-bottom: 1rem; }
.narrow label { display: block; margin-bottom: .3125rem; font-weight: 550; }
.hint { margin-top: .3125rem; color: var(--soft); font-size: .8438rem; }
.hint.bad { color: var(--bad); }
.choice { display: flex; gap: .75rem; padding: .625rem .875rem; border: 1px solid var(--line); border-radius: .5rem; cursor: pointer; }
.choice:hover { background: var(--hover); }
.choice:has(:checked) { border-color: var(--accent); background: var(--tint); }
.choice input { flex: none; width: 1.0625rem; height: 1.0625rem; margin: .1875rem 0 0; accent-color: var(--accent); }
.choice strong { font-weight: 550; }
.choice small { display: block; color: var(--soft); font-size: .8438rem; }
fieldset { margin: 0; padding: 0; border: 0; min-width: 0; display: grid; gap: .5rem; }
.choices { grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
legend { padding: 0; margin-bottom: .3125rem; font-weight: 550; }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: .625rem; padding: .875rem 1.25rem; border-bottom: 1px solid var(--line); }
.filters > div { flex: 0 1 8.5rem; }
.filters > div:has(select) { flex-basis: 11rem; }
.filters > .actions { flex: none; }
.filters > div.grow { flex: 1 1 14rem; }
.filters label { display: block; margin-bottom: .25rem; color: var(--soft); font-size: .8125rem; font-weight: 550; }
.filters .hint { flex-basis: 100%; margin-top: 0; }

.reasons { display: grid; gap: 1rem; }
.reasons li + li { padding-top: 1rem; border-top: 1px solid var(--line); }
.notice { display: flex; gap: .75rem; margin-bottom: 1.25rem; padding: .75rem 1rem; border-radius: .625rem; background: var(--good-tint); color: var(--good); overflow-wrap: anywhere; }
.stack > .notice { margin-bottom: 0; }
.notice .icon { margin-top: .125rem; }
.notice.bad { background: var(--bad-tint); color: var(--bad); }
.notice.warn { background: var(--warn-tint); color: var(--warn); }
.notice div > * + * { margin-top: .25rem; }
.empty { display: grid; justify-items: center; gap: .5rem; padding: 2.25rem 1.5rem; text-align: center; }
.empty > .icon { width: 1.75rem; height: 1.75rem; color: var(--edge); }
.empty p { max-width: 30rem; color: var(--soft); }
.empty .button { margin-top: .5rem; }
.pager { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem 1rem; padding: .75rem 1.25rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem; }
.code { padding: 1rem 1.25rem; overflow: auto; max-height: 40rem; white-space: pre; tab-size: 2; line-height: 1.6; }
.code:focus-visible { outline-offset: -2px; }
.secret { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; padding: .75rem 1rem; border: 1px dashed var(--edge); border-radius: .5rem; background: var(--page); overflow-wrap: anywhere; }
.steps li { display: flex; gap: .875rem; padding: .75rem 1.25rem; }
.steps li + li { border-top: 1px solid var(--line); }
.steps .dot { display: grid; place-items: center; flex: none; width: 1.5rem; height: 1.5rem; border-radius: 50%; border: 1.5px solid var(--edge); color: transparent; }
.steps .done .dot { border-color: transparent; background: var(--good-tint); color: var(--good); }
.steps .dot .icon { width: .875rem; height: .875rem; }
.steps .dot.warn { border-color: transparent; background: var(--warn-tint); color: var(--warn); }
.steps .dot.bad { border-color: transparent; background: var(--bad-tint); color: var(--bad); }
.steps a, .steps strong { font-weight: 550; }
.steps p { color: var(--soft); font-size: .875rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12.5rem), 1fr)); gap: 1.25rem; padding: 1.25rem; }
.chart { min-width: 0; }
.chart figcaption { display: flex; flex-direction: column; margin-bottom: .5rem; color: var(--soft); font-size: .875rem; }
.chart strong { color: var(--ink); font-size: 1.5rem; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; }
.chart svg { display: block; width: 100%; height: 4rem; fill: var(--accent); }
.chart.good svg { fill: var(--good); }
.chart.bad svg { fill: var(--bad); }
.chart rect.zero { fill: var(--edge); }
.chart rect:hover { opacity: .7; }
.ends { display: flex; justify-content: space-between; margin-top: .25rem; color: var(--soft); font-size: .75rem; }
h3 { font-size: .9375rem; font-weight: 650; }
.card > .charts + .in { padding-top: 0; }
.reason-counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: .25rem 2rem; margin-top: .5rem; font-size: .875rem; }
.reason-counts div { display: flex; justify-content: space-between; gap: 1rem; color: var(--soft); }
.reason-counts dd { color: var(--ink); font-variant-numeric: tabular-nums; }
.numbers summary { padding: .75rem 1.25rem; border-top: 1px solid var(--line); color: var(--accent); font-size: .875rem; cursor: pointer; }
.numbers[open] summary { border-bottom: 1px solid var(--line); }
.numbers td { font-variant-numeric: tabular-nums; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: .75rem; padding: 1.25rem; }
.tiles a { display: grid; gap: .125rem; height: 100%; align-content: start; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: .625rem; color: var(--ink); }
.tiles a:hover { background: var(--hover); border-color: var(--edge); text-decoration: none; }
.tiles strong { font-weight: 550; }
.tiles .soft { font-size: .875rem; }
.list li { padding: .625rem 1.25rem; }
.list li + li { border-top: 1px solid var(--line); }
.list li > .line { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .125rem 1rem; }
.list time { color: var(--soft); font-size: .8438rem; white-space: nowrap; }

dialog { width: min(36rem, 92vw); margin-top: 12vh; padding: 0; border: 1px solid var(--line); border-radius: .875rem; background: var(--raised); color: var(--ink); box-shadow: 0 1.5rem 4rem light-dark(#10182840, #000c); overflow: hidden; }
dialog::backdrop { background: #0d111a66; }
dialog input { min-height: 3.25rem; padding-inline: 1.25rem; border: 0; border-radius: 0; background: none; font-size: 1rem; }
dialog input:focus { outline: none; }
dialog ul { max-height: 50vh; overflow: auto; padding: .5rem; border-top: 1px solid var(--line); }
dialog li { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem .75rem; border-radius: .5rem; cursor: pointer; }
dialog li[aria-selected="true"] { background: var(--tint); }
dialog li span:last-child { color: var(--soft); font-size: .8438rem; }
dialog p { padding: .875rem 1.25rem; color: var(--soft); border-top: 1px solid var(--line); }

body.plain { display: grid; place-items: center; min-height: 100dvh; padding: 1rem; }
body.plain main { width: min(30rem, 100%); padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
body.plain h1 { margin-bottom: .5rem; }
body.plain .actions { margin-top: 1.25rem; }

@keyframes leave { to { box-shadow: 0 1px var(--line); } }
@media (min-width: 52.01rem) and (min-height: 30rem) {
  html { scroll-padding-top: 12rem; }
  .tabs { flex-wrap: wrap; gap: 0; font-size: .875rem; }
  .tabs a { padding-inline: .5rem; }
  .bar { position: sticky; top: 3.5rem; z-index: 2; margin: -1.5rem -2rem .75rem; padding: 1.25rem 2rem .5rem; background: var(--page); animation: leave linear both; animation-timeline: scroll(); animation-range: 0 1rem; }
}
@media (max-width: 52rem) {
  .top { flex-wrap: wrap; height: auto; gap: .5rem .75rem; padding: .625rem 1rem; position: static; }
  .tenant { flex: 1; justify-content: space-between; }
  .account { margin-inline-start: auto; }
  .find { order: 9; flex: 1 0 100%; max-width: none; }
  .find kbd { display: none; }
  .shell { grid-template-columns: minmax(0, 1fr); }
  .side { min-height: 0; padding: .375rem .5rem; border: 0; border-bottom: 1px solid var(--line); background: var(--card); }
  .side ul { position: static; grid-template-columns: repeat(9, auto); gap: 0; }
  .side a { flex-direction: column; gap: .125rem; padding: .375rem .25rem; font-size: .75rem; }
  main { padding: 1rem 1rem 3rem; }
  h1 { font-size: 1.3125rem; }
}
@media (max-width: 40rem) {
  .side ul { grid-template-columns: repeat(3, auto); }
  table.folds, .folds tbody, .folds tr, .folds td, .folds tbody th { display: block; width: auto; max-width: none; overflow-wrap: anywhere; }
  .folds thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .folds tr { position: relative; padding: .75rem 1rem; }
  .folds tbody tr + tr { border-top: 1px solid var(--line); }
  .folds td, .folds tbody th, .folds tbody tr + tr td, .folds tbody tr + tr th { padding: .125rem 0; border: 0; white-space: normal; }
  .folds td[data-label]::before { content: attr(data-label) "\\00a0 "; white-space: nowrap; color: var(--soft); font-size: .8438rem; }
  .folds td:empty { display: none; }
  .facts { grid-template-columns: minmax(0, 1fr); }
  .facts > div { gap: 0; padding-inline: 1rem; }
  .card > header, .card > .in, .filters, .danger-row, .pager, .list li, .steps li, .code { padding-inline: 1rem; }
  .filters > div, .filters > div:has(select) { flex: 1 1 7rem; }
  .filters > div.grow, .filters > .actions { flex: 1 1 100%; }
  .folds td.minor { display: none; }
  .actions .button { flex: 1 1 auto; }
}
@keyframes arrive { from { background: var(--tint); } }
.fresh { animation: arrive 2s; }
@media (prefers-reduced-motion: reduce) { .fresh { animation: none; } }
@media (forced-colors: active) { .badge, .button, .card { border: 1px solid; } }
`;

/** A page, given the nonce that its style and its script carry. */
export type Page = (nonce: string) => string;

/** Text that is HTML already. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

/** What may stand in a template: text is escaped, markup stays, lists are joined, and `undefined` is nothing. */
type Insertable = string | number | Markup | undefined | readonly Insertable[];

/** Markup from a template. */
export function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Markup {
  return new Markup(parts.map((part, index) => part + insert(values[index])).join(""));
}

function insert(value: Insertable): string {
  if (value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(insert).join("");
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const calendar = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** An instant with its day: a token that is good for 24 hours ends at the same time of another one. */
export function moment(at: Date): Markup {
  return html`<time datetime="${at.toISOString()}">${calendar.format(at)} UTC</time>`;
}

/** A whole document. */
export function document(title: string, body: Markup, scripted = false): Page {
  return (nonce) =>
    `<!DOCTYPE html>${
      html`<html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title}</title>
          <style nonce="${nonce}">
            ${new Markup(style)}
          </style>
        </head>
        <body>
          <main>${body}</main>
          ${
            scripted
              ? html`<script nonce="${nonce}">
                  ${new Markup(copyScript)};
                </script>`
              : undefined
          }
        </body>
      </html> `.text
    }`;
}

const style = `
:root { --ink: #1d2129; --soft: #5b6472; --line: #dfe3e9; --page: #f5f6f8; --card: #fff; --edge: #868d9a; --accent: #1f5fd0; --on-accent: #fff; --tint: #eef3fc; --bad: #b0241c; --code: #f0f2f5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaee; --soft: #a3acba; --line: #333a45; --page: #14171c; --card: #1c2027; --edge: #7c8493; --accent: #8ab4ff; --on-accent: #10131a; --tint: #1e2836; --bad: #ffa49b; --code: #262c35; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1rem 4rem; }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 0 0 .75rem; font-size: 1.05rem; }
p { margin: 0 0 .75rem; }
p:last-child, pre:last-child { margin-bottom: 0; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.lead, .soft { color: var(--soft); }
.lead { margin-bottom: 1.75rem; }
section, article { margin: 0 0 1rem; padding: 1.15rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .4rem 1.25rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; }
ul { margin: 0; padding: 0; list-style: none; display: grid; gap: .5rem; }
li a { font-weight: 600; }
code, pre { font: .875rem/1.6 ui-monospace, monospace; }
pre { margin: 0 0 .75rem; padding: .85rem 1rem; overflow-x: auto; background: var(--code); border-radius: .5rem; }
pre.text, pre.wraps { white-space: pre-wrap; }
pre.text { font-family: inherit; }
.code { font: 600 1.5rem/1.2 ui-monospace, monospace; letter-spacing: .12em; }
.row { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; }
.copied { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; justify-content: space-between; }
dl:not(:last-child) { margin-bottom: .9rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0; }
.buttons:last-child { margin-bottom: 0; }
.who { margin: 0; font-size: 1.35rem; }
.notice { margin: 0 0 1rem; padding: .8rem 1.25rem; background: var(--tint); border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: .5rem; }
.notice.problem { border-left-color: var(--bad); }
button, a.button { font: inherit; padding: .5rem 1rem; color: var(--ink); background: transparent; border: 1px solid var(--edge); border-radius: .5rem; cursor: pointer; }
a.button { display: inline-block; text-decoration: none; }
button.small { min-height: 1.75rem; padding: .1rem .7rem; font-size: .8125rem; }
.row button.small { margin-bottom: .75rem; }
button:hover, a.button:hover { border-color: var(--accent); color: var(--accent); }
button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent); font-weight: 600; }
button.main:hover { color: var(--on-accent); filter: brightness(1.08); }
@media (max-width: 30rem) {
  main { padding-top: 1.5rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: .5rem; }
  .who { font-size: 1.2rem; }
  .buttons, .buttons form { display: grid; }
}`;

/** Buttons that copy appear where copying works. */
const copyScript = `
for (const button of document.querySelectorAll("button[data-copies]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    const label = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}`;

import { html, type Markup } from "./html.ts";

const calendar = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** An instant with its day: a token that is good for 24 hours ends at the same time of another one. */
export function moment(at: Date): Markup {
  return html`<time datetime="${at.toISOString()}">${calendar.format(at)} UTC</time>`;
}

/** An e-mail address, which breaks before the `@` where a line is too short for it. */
export function address(text: string): Markup {
  const at = text.lastIndexOf("@");
  return at < 1 ? html`${text}` : html`${text.slice(0, at)}<wbr />${text.slice(at)}`;
}

/** A button that copies the text of the element with this id. Shown where a script can copy. @param what is copied, for who cannot see it. */
export function copyButton(id: string, what: string): Markup {
  return html`<button type="button" class="small" data-copies="${id}" aria-label="Copy: ${what}">Copy</button>`;
}

/** A value to copy, in a list of names and values. */
export interface Copied {
  readonly name: string;
  /** Of the element that holds the value. */
  readonly id: string;
  readonly value: string;
}

/** Names, and values to copy. */
export function copiedList(rows: readonly Copied[]): Markup {
  return html`<dl class="centered">
    ${rows.map(
      ({ name, id, value }) =>
        html`<dt>${name}</dt>
          <dd class="copied"><code id="${id}">${address(value)}</code> ${copyButton(id, name)}</dd>`,
    )}
  </dl>`;
}

/** A link out of a message, which leaves the page where it is. Undefined where the address is not one of the web, such as `javascript:`. */
export function linkOut(url: string, label: string, className = ""): Markup | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  return html`<a href="${url}" class="${className}" target="_blank" rel="noopener noreferrer">${label}</a>`;
}

/** Text whose web addresses are links. What ends a sentence behind an address is not part of it. */
export function withLinks(text: string): Markup {
  const pieces = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/i);
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : (linkOut(piece, piece) ?? piece)))}`;
}

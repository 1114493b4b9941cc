import { html, type Markup } from "./html.ts";

const calendar = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/**
 * Renders a time with its date, because a token that is valid for 24 hours expires at the same time on the next day.
 */
export function moment(at: Date): Markup {
  return html`<time datetime="${at.toISOString()}">${calendar.format(at)} UTC</time>`;
}

/** Renders an email address, which breaks before the `@` if the line is too short. */
export function address(text: string): Markup {
  const at = text.lastIndexOf("@");
  return at < 1 ? html`${text}` : html`${text.slice(0, at)}<wbr />${text.slice(at)}`;
}

/**
 * Renders a button that copies the text of an element. The button is visible only if scripts can copy.
 * @param what describes the text, for screen readers.
 */
export function copyButton(id: string, what: string): Markup {
  return html`<button type="button" class="small" data-copies="${id}" aria-label="Copy: ${what}">Copy</button>`;
}

/** A value to copy, in a list of names and values. */
interface Copied {
  readonly name: string;
  /** The id of the element with the value. */
  readonly id: string;
  readonly value: string;
}

/** Renders a list of names and values with copy buttons. */
export function copiedList(rows: readonly Copied[]): Markup {
  return html`<dl class="centered">
    ${rows.map(
      ({ name, id, value }) =>
        html`<dt>${name}</dt>
          <dd class="copied"><code id="${id}">${address(value)}</code> ${copyButton(id, name)}</dd>`,
    )}
  </dl>`;
}

/**
 * Renders a link that opens in a new tab. Returns undefined for a URL that is not http or https, such as `javascript:`.
 */
export function linkOut(url: string, label: string, className = ""): Markup | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  return html`<a href="${url}" class="${className}" target="_blank" rel="noopener noreferrer">${label}</a>`;
}

/** Renders text with its URLs as links. Punctuation after a URL is not part of the link. */
export function withLinks(text: string): Markup {
  const pieces = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/i);
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : (linkOut(piece, piece) ?? piece)))}`;
}

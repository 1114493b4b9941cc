import type { ComponentChildren, JSX } from "preact";

/** The number of characters that fit on one line of the narrowest page. */
const fitsOnLine = 30;

/** The number of characters that fit on one line of a heading on the narrowest page. */
const fitsInHeading = 16;

/** Renders an email address or a phone number in a sentence. It is never cut, so that a typing mistake is visible. */
export function Address({ children }: { readonly children: string }): JSX.Element {
  return <bdi class="name address">{breakable(children)}</bdi>;
}

/** Renders a host. It is never cut, because its end identifies the owner. A long host can break after its dots. */
export function Host({ children }: { readonly children: string }): JSX.Element {
  return <bdi class="destination">{children.length > fitsInHeading ? withBreaks(children) : children}</bdi>;
}

/**
 * Allows line breaks after `@` and `.` in a long email address, so that a break inside a word is necessary only if the
 * word is longer than a line. Returns other text unchanged.
 */
export function breakable(text: string): ComponentChildren {
  return text.length <= fitsOnLine || !text.includes("@") || /\s/.test(text) ? text : withBreaks(text);
}

/** Allows line breaks after `@` and `.`. */
function withBreaks(text: string): ComponentChildren {
  return text.split(/(?<=[@.])/).map((part, index) => (
    <>
      {index > 0 && <wbr />}
      {part}
    </>
  ));
}

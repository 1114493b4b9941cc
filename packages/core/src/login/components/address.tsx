import type { ComponentChildren, JSX } from "preact";

/** The number of characters that fit on one line of the narrowest page. */
const fitsOnLine = 30;

/** Renders an email address or a phone number in a sentence. It is never cut, so that a typing mistake is visible. */
export function Address({ children }: { readonly children: string }): JSX.Element {
  return <bdi class="name address">{breakable(children)}</bdi>;
}

/**
 * Allows line breaks after `@` and `.` in a long email address, so that a break inside a word is necessary only if the
 * word is longer than a line. Returns other text unchanged.
 */
export function breakable(text: string): ComponentChildren {
  if (text.length <= fitsOnLine || !text.includes("@") || /\s/.test(text)) return text;
  return text.split(/(?<=[@.])/).map((part, index) => (
    <>
      {index > 0 && <wbr />}
      {part}
    </>
  ));
}

import type { ComponentChildren, JSX } from "preact";

/** The number of characters of an address that fit on a line of the narrowest page. */
const fitsOnLine = 30;

/** An email address or a phone number in a sentence. It is never cut, so that a typing mistake is visible. */
export function Address({ children }: { readonly children: string }): JSX.Element {
  return <bdi class="name address">{breakable(children)}</bdi>;
}

/**
 * Lets a long address break after `@` and `.`, so that it breaks inside a word only if the word is longer than a line.
 * Other text stays as it is.
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

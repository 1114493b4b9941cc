import type { JSX } from "preact";
import type { Drawing, FooterLinks } from "./drawing.ts";

/** Renders the links at the bottom of a page. Renders nothing if no links are configured. */
export function Footer({ t, links }: Pick<Drawing, "t"> & { readonly links: FooterLinks | undefined }): JSX.Element | null {
  const { support, terms, privacy } = links ?? {};
  const named = [
    [support, t.text("footerSupport")],
    [terms, t.text("footerTerms")],
    [privacy, t.text("footerPrivacy")],
  ] as const;
  const shown = named.filter(([href]) => href !== undefined);
  if (shown.length === 0) return null;
  return (
    <footer>
      {shown.map(([href, text]) => (
        <a key={text} href={href}>
          {text}
        </a>
      ))}
    </footer>
  );
}

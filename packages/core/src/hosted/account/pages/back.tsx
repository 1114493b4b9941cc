import type { JSX } from "preact";
import type { Translate } from "../../../locales/translate.ts";

/** Renders the link back to the overview. */
export function BackToSection({ t, href }: { readonly t: Translate; readonly href: string }): JSX.Element {
  return (
    <a class="button small" href={href}>
      {t.text("securityBack")}
    </a>
  );
}

import type { JSX } from "preact";
import type { Drawing } from "../../../login/components/drawing.ts";

/** Renders the link to the form of a section; nothing if the user can change nothing. */
export function EditLink({ t, href }: Pick<Drawing, "t"> & { readonly href: string | undefined }): JSX.Element | null {
  if (href === undefined) return null;
  return (
    <a class="button second" href={href}>
      {t.text("accountEdit")}
    </a>
  );
}

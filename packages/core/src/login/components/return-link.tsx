import type { JSX } from "preact";
import type { ReturnLink } from "../return-link.ts";
import type { Drawing } from "./drawing.ts";
import { Name } from "./form.tsx";

/**
 * Renders the link with which the visitor continues from a page that has no other action. Renders nothing if no URL is
 * known.
 */
export function ReturnLinkAnchor({ t, returnLink }: Drawing & { readonly returnLink: ReturnLink | undefined }): JSX.Element | null {
  if (returnLink === undefined) return null;
  const { href, clientName = "" } = returnLink;
  return (
    <a class="button main" href={href}>
      {/* The text is one element, because the button would otherwise lay out the text and the name as columns. */}
      <span>{clientName === "" ? t.text("continueWithoutName") : t.pieces("continueToClient", { client: <Name>{clientName}</Name> })}</span>
    </a>
  );
}

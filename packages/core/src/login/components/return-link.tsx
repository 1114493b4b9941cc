import type { JSX } from "preact";
import type { ReturnLink } from "../return-link.ts";
import type { Drawing } from "./drawing.ts";
import { Name } from "./form.tsx";

/** The link to continue from a page without another action. Renders nothing if no URL is known. */
export function ReturnLinkAnchor({ t, returnLink }: Drawing & { readonly returnLink: ReturnLink | undefined }): JSX.Element | null {
  if (returnLink === undefined) return null;
  const { href, clientName = "" } = returnLink;
  return (
    <a class="button main" href={href}>
      {/* One element, because the button would lay out text and name as columns. */}
      <span>{clientName === "" ? t.text("continueWithoutName") : t.pieces("continueToClient", { client: <Name>{clientName}</Name> })}</span>
    </a>
  );
}

import type { JSX } from "preact";
import type { ReturnLink } from "../return-link.ts";
import type { Drawing } from "./drawing.ts";
import { Name } from "./form.tsx";

/** The link to continue from a page without another action. Renders nothing if no URL is known. */
export function ReturnLinkAnchor({ say, wayOn }: Drawing & { readonly wayOn: ReturnLink | undefined }): JSX.Element | null {
  if (wayOn === undefined) return null;
  const { href, clientName = "" } = wayOn;
  return (
    <a class="button main" href={href}>
      {/* One element, because the button would lay out text and name as columns. */}
      <span>{clientName === "" ? say.text("wayOnPlain") : say.pieces("wayOn", { client: <Name>{clientName}</Name> })}</span>
    </a>
  );
}

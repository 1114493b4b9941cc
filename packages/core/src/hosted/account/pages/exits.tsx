import type { JSX } from "preact";
import type { Drawing } from "../../../login/components/drawing.ts";
import { Name } from "../../../login/components/form.tsx";
import type { ReturnLink } from "../../../login/return-link.ts";

/** The links with which the user leaves a section. */
interface Exits extends Drawing {
  /** The URL of the list of sections. Undefined if the page has one section. */
  readonly home: string | undefined;
  /** The link to the application. Undefined if no URL is known. */
  readonly back: ReturnLink | undefined;
}

/** Renders the links to the list of sections and to the application. */
export function AccountExits({ t, home, back }: Exits): JSX.Element | null {
  if (home === undefined && back === undefined) return null;
  const { href, clientName = "" } = back ?? {};
  return (
    <div class="others exits">
      {home !== undefined && (
        <a class="button small" href={home}>
          {t.text("accountBack")}
        </a>
      )}
      {href !== undefined && (
        <a class="button small" href={href}>
          <span>
            {clientName === "" ? t.text("continueWithoutName") : t.pieces("continueToClient", { client: <Name>{clientName}</Name> })}
          </span>
        </a>
      )}
    </div>
  );
}

import type { Drawing, PageParts } from "../components/drawing.ts";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** Draws the page that says that the user is signed out, with a link to the application if its URL is known. */
export function drawLoggedOut({ frame, t }: Drawing, returnLink: ReturnLink | undefined): PageParts {
  return {
    title: t.text("loggedOutTitle"),
    mark: <Sign frame={frame} kind="good" icon="check" />,
    content: (
      <>
        <p class="lead">{t.text("loggedOutLead")}</p>
        <ReturnLinkAnchor t={t} frame={frame} returnLink={returnLink} />
      </>
    ),
  };
}

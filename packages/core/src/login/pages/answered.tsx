import type { Drawing, PageParts } from "../components/drawing.ts";
import { SignedInAs } from "../components/account.tsx";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** The data for {@link drawAnswered}. */
interface Answered {
  /** The name of the signed-in user, if there is one. */
  readonly account: string | undefined;
  readonly returnLink: ReturnLink | undefined;
}

/**
 * Draws the page for a user who goes back to a completed login: it says that the sign-in is complete, and links to the
 * application.
 */
export function drawAnswered({ t, frame }: Drawing, { account, returnLink }: Answered): PageParts {
  return {
    title: t.text("answeredTitle"),
    mark: <Sign frame={frame} kind="good" icon="check" />,
    content: (
      <>
        <p class="lead">{t.text("answeredLead")}</p>
        {account !== undefined && <SignedInAs t={t} account={account} />}
        <ReturnLinkAnchor t={t} frame={frame} returnLink={returnLink} />
      </>
    ),
  };
}

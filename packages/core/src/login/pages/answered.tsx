import type { Drawing, PageParts } from "../components/drawing.ts";
import { SignedInAs } from "../components/account.tsx";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** The data of {@link drawAnswered}. */
interface Answered {
  /** The signed-in user, if there is one. */
  readonly account: string | undefined;
  readonly returnLink: ReturnLink | undefined;
}

/** Tells a user who went back that the sign-in is complete, and links to the app. */
export function drawAnswered({ t, frame }: Drawing, { account, returnLink: returnLink }: Answered): PageParts {
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

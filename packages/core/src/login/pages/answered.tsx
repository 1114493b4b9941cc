import type { Drawing, PageParts } from "../components/drawing.ts";
import { SignedInAs } from "../components/account.tsx";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** The data of {@link drawAnswered}. */
interface Answered {
  /** The signed-in user, if there is one. */
  readonly account: string | undefined;
  readonly wayOn: ReturnLink | undefined;
}

/** Tells a user who went back that the sign-in is complete, and links to the app. */
export function drawAnswered({ say, frame }: Drawing, { account, wayOn }: Answered): PageParts {
  return {
    title: say.text("answeredTitle"),
    mark: <Sign frame={frame} kind="good" icon="check" />,
    content: (
      <>
        <p class="lead">{say.text("answeredLead")}</p>
        {account !== undefined && <SignedInAs say={say} account={account} />}
        <ReturnLinkAnchor say={say} frame={frame} wayOn={wayOn} />
      </>
    ),
  };
}

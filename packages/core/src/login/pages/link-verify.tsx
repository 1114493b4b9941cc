import { ForAccount } from "../components/account.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { Action, Form, Name } from "../components/form.tsx";

/** The data of {@link drawLinkVerify}. */
interface LinkVerify {
  readonly email: string;
  /** The user is signed in to the account. */
  readonly bySession: boolean;
}

/**
 * Asks whether to verify an email address. A visitor who is not signed in is also asked whether they created the
 * account.
 */
export function drawLinkVerify({ frame, say }: Drawing, { email, bySession }: LinkVerify): PageParts {
  const tenant = <Name>{frame.tenantName}</Name>;
  return {
    title: say.text(bySession ? "linkConfirmTitle" : "linkAskTitle"),
    content: (
      <>
        <p class="lead">{say.pieces(bySession ? "linkConfirmLead" : "linkAskLead", { tenant })}</p>
        <ForAccount account={email} about={say.text("linkAddress")} />
        {!bySession && <p class="note">{say.text("linkAskNote")}</p>}
        <Form frame={frame} class="answers">
          <Action value={bySession ? "confirm" : "yes"}>{say.text(bySession ? "linkConfirm" : "linkAskYes")}</Action>
          {!bySession && (
            <Action value="no" kind="second">
              {say.text("linkAskNo")}
            </Action>
          )}
        </Form>
      </>
    ),
  };
}

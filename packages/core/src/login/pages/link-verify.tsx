import { ForAccount } from "../components/account.tsx";
import type { Drawing, Drawn } from "../components/drawing.ts";
import { Action, Form, Name } from "../components/form.tsx";

/** What {@link drawLinkVerify} shows. */
interface LinkVerify {
  readonly email: string;
  /** The person is signed in by the account. */
  readonly bySession: boolean;
}

/** Asks whether an address is to be verified. Anybody who is not signed in is asked as well whether they made the account. */
export function drawLinkVerify({ frame, say }: Drawing, { email, bySession }: LinkVerify): Drawn {
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

import type { Drawing, Drawn } from "../components/drawing.ts";
import { SignedInAs } from "../components/account.tsx";
import { Action, Form, Name } from "../components/form.tsx";
import type { ReturnLink } from "../return-link.ts";

/** What {@link drawConfirmLogout} shows. */
interface ConfirmLogout {
  /** Who is signed in. */
  readonly account: string;
  readonly wayOn: ReturnLink | undefined;
}

/** Asks whether to sign out, where the client could not show that the person wants it. */
export function drawConfirmLogout({ frame, say }: Drawing, { account, wayOn }: ConfirmLogout): Drawn {
  return {
    title: say.text("logoutTitle"),
    content: (
      <>
        <p class="lead">{say.pieces("logoutLead", { tenant: <Name>{frame.tenantName}</Name> })}</p>
        <SignedInAs say={say} account={account} />
        <Form frame={frame} class="answers">
          <Action value="logout">{say.text("logoutSubmit")}</Action>
          {wayOn !== undefined && (
            <a class="button second" href={wayOn.href}>
              {say.text("logoutStayLink")}
            </a>
          )}
        </Form>
        {wayOn === undefined && <p class="note">{say.text("logoutStay")}</p>}
      </>
    ),
  };
}

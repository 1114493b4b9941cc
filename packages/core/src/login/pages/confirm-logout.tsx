import type { Drawing, PageParts } from "../components/drawing.ts";
import { SignedInAs } from "../components/account.tsx";
import { Action, Form, Name } from "../components/form.tsx";
import type { ReturnLink } from "../return-link.ts";

/** The data of {@link drawConfirmLogout}. */
interface ConfirmLogout {
  /** The signed-in user. */
  readonly account: string;
  readonly wayOn: ReturnLink | undefined;
}

/** Asks whether to sign out, if the client could not prove that the user wants to. */
export function drawConfirmLogout({ frame, say }: Drawing, { account, wayOn }: ConfirmLogout): PageParts {
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

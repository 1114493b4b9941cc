import type { Drawing, PageParts } from "../components/drawing.ts";
import { SignedInAs } from "../components/account.tsx";
import { FormAction, Form, Name } from "../components/form.tsx";
import type { ReturnLink } from "../return-link.ts";

/** The data for {@link drawConfirmLogout}. */
interface ConfirmLogout {
  /** The name of the signed-in user. */
  readonly account: string;
  readonly returnLink: ReturnLink | undefined;
}

/**
 * Draws the page that asks whether to sign out. It is shown if the logout request does not prove that it comes from the
 * user's client.
 */
export function drawConfirmLogout({ frame, t }: Drawing, { account, returnLink }: ConfirmLogout): PageParts {
  return {
    title: t.text("logoutTitle"),
    content: (
      <>
        <p class="lead">{t.pieces("logoutLead", { tenant: <Name>{frame.tenantName}</Name> })}</p>
        <SignedInAs t={t} account={account} />
        <Form frame={frame} class="answers">
          <FormAction value="logout">{t.text("logoutSubmit")}</FormAction>
          {returnLink !== undefined && (
            <a class="button second" href={returnLink.href}>
              {t.text("logoutStayLink")}
            </a>
          )}
        </Form>
        {returnLink === undefined && <p class="note">{t.text("logoutStay")}</p>}
      </>
    ),
  };
}

import { ForAccount } from "../components/account.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { FormAction, Form, Name } from "../components/form.tsx";

/** The data for {@link drawLinkVerify}. */
interface LinkVerify {
  readonly email: string;
  /** Whether the visitor is signed in to the account. */
  readonly bySession: boolean;
}

/**
 * Draws the page that asks whether to verify an email address. If the visitor is not signed in, the page asks whether
 * they created the account instead.
 */
export function drawLinkVerify({ frame, t }: Drawing, { email, bySession }: LinkVerify): PageParts {
  const tenant = <Name>{frame.tenantName}</Name>;
  return {
    title: t.text(bySession ? "linkConfirmTitle" : "linkAskTitle"),
    content: (
      <>
        <p class="lead">{t.pieces(bySession ? "linkConfirmLead" : "linkAskLead", { tenant })}</p>
        <ForAccount account={email} about={t.text("linkAddress")} />
        {!bySession && <p class="note">{t.text("linkAskNote")}</p>}
        <Form frame={frame} class="answers">
          <FormAction value={bySession ? "confirm" : "yes"}>{t.text(bySession ? "linkConfirm" : "linkAskYes")}</FormAction>
          {!bySession && (
            <FormAction value="no" kind="second">
              {t.text("linkAskNo")}
            </FormAction>
          )}
        </Form>
      </>
    ),
  };
}

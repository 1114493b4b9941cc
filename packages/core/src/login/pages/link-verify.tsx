import { ForAccount } from "../components/account.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { FormAction, Form, Name } from "../components/form.tsx";

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

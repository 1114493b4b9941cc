import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Address } from "../../components/address.tsx";
import { FormAction, Form, Name, ProblemNote } from "../../components/form.tsx";
import { AnotherWay } from "./another-way.tsx";
import type { LinkAccountScreen } from "./step.ts";

/**
 * Draws the page that asks a user who came from an identity provider to sign in to the existing account with the same
 * email address.
 */
export function drawLinkAccount(
  { frame, t, problem }: StepDrawing,
  { email, provider, byCode, ownAccount, failed }: LinkAccountScreen,
): PageParts {
  return {
    title: t.text("linkAccountTitle"),
    content: (
      <>
        <p class="lead">{t.pieces("linkAccountLead", { email: <Address>{email}</Address>, provider: <Name>{provider.label}</Name> })}</p>
        {failed && problem === undefined && (
          <div class="problem notice" role="status">
            <p>{t.pieces("linkAccountFailed", { provider: <Name>{provider.label}</Name> })}</p>
          </div>
        )}
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <FormAction value="link-account">{t.text("linkAccountSubmit")}</FormAction>
        </Form>
        <div class="others">
          {byCode && (
            <Form frame={frame}>
              <FormAction value="send-link-code" kind="small">
                {t.text("passwordCodeEmail")}
              </FormAction>
            </Form>
          )}
          {ownAccount && (
            <Form frame={frame}>
              <FormAction value="own-account" kind="small">
                {t.text("linkAccountOwn")}
              </FormAction>
            </Form>
          )}
          <AnotherWay frame={frame} t={t} />
        </div>
      </>
    ),
  };
}

import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Address } from "../../components/address.tsx";
import { Action, Form, Name, ProblemNote } from "../../components/form.tsx";
import type { LinkAccountScreen } from "./step.ts";

/** Asks a user who came from an identity provider to sign in to the existing account with their email address. */
export function drawLinkAccount(
  { frame, say, problem }: StepDrawing,
  { email, provider, byCode, ownAccount, failed }: LinkAccountScreen,
): PageParts {
  return {
    title: say.text("linkAccountTitle"),
    content: (
      <>
        <p class="lead">{say.pieces("linkAccountLead", { email: <Address>{email}</Address>, provider: <Name>{provider.label}</Name> })}</p>
        {failed && problem === undefined && (
          <div class="problem notice" role="status">
            <p>{say.pieces("linkAccountFailed", { provider: <Name>{provider.label}</Name> })}</p>
          </div>
        )}
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          <Action value="link-account">{say.text("linkAccountSubmit")}</Action>
        </Form>
        <div class="others">
          {byCode && (
            <Form frame={frame}>
              <Action value="send-link-code" kind="small">
                {say.text("passwordCodeEmail")}
              </Action>
            </Form>
          )}
          {ownAccount && (
            <Form frame={frame}>
              <Action value="own-account" kind="small">
                {say.text("linkAccountOwn")}
              </Action>
            </Form>
          )}
          <Form frame={frame}>
            <Action value="another-way" kind="small">
              {say.text("linkAccountOther")}
            </Action>
          </Form>
        </div>
      </>
    ),
  };
}

import type { Drawn, StepDrawing } from "../../kit/drawing.ts";
import { Action, Form, Name, ProblemNote } from "../../kit/form.tsx";
import type { LinkAccountScreen } from "./step.ts";

/** Asks somebody who came from an identity provider to sign in to the account that has their address. */
export function drawLinkAccount({ frame, say, problem }: StepDrawing, { email, provider, byCode }: LinkAccountScreen): Drawn {
  return {
    title: say.text("linkAccountTitle"),
    content: (
      <>
        <p class="lead">{say.pieces("linkAccountLead", { email: <Name>{email}</Name>, provider: <Name>{provider.label}</Name> })}</p>
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

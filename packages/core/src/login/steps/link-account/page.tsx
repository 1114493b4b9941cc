import type { Drawing, Drawn } from "../../kit/drawing.ts";
import { Action, Form, Name } from "../../kit/form.tsx";
import type { LinkAccountScreen } from "./step.ts";

/** Asks somebody who came from an identity provider to sign in to the account that has their address. */
export function drawLinkAccount({ frame, say }: Drawing, { email, provider }: LinkAccountScreen): Drawn {
  return {
    title: say.text("linkAccountTitle"),
    content: (
      <>
        <p class="lead">{say.pieces("linkAccountLead", { email: <Name>{email}</Name>, provider: <Name>{provider.label}</Name> })}</p>
        <Form frame={frame}>
          <Action value="link-account">{say.text("linkAccountSubmit")}</Action>
        </Form>
        <div class="others">
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

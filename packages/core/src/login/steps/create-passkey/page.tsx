import { ForAccount } from "../../components/account.tsx";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Form, FormAction, ProblemNote } from "../../components/form.tsx";
import { WebauthnForm } from "../../components/webauthn-form.tsx";
import type { CreatePasskeyScreen } from "./step.ts";

/** Draws the page that asks for a passkey for a new account. */
export function drawCreatePasskey({ frame, t, problem }: StepDrawing, { identifier, publicKey }: CreatePasskeyScreen): PageParts {
  return {
    title: t.text("newPasskeyTitle"),
    content: (
      <>
        <p class="lead">{t.text("newPasskeyLead")}</p>
        <ForAccount account={identifier} about={t.text("newPasskeyFor")} />
        <ProblemNote frame={frame} t={t} problem={problem} />
        <WebauthnForm frame={frame} t={t} action="create-passkey" publicKey={publicKey} submit={t.text("newPasskeySubmit")} />
        <div class="others">
          <Form frame={frame}>
            <FormAction value="choose-password" kind="small">
              {t.text("newPasskeyPassword")}
            </FormAction>
          </Form>
        </div>
      </>
    ),
  };
}

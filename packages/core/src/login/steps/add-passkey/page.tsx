import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Form, FormAction, ProblemNote } from "../../components/form.tsx";
import { WebauthnForm } from "../../components/webauthn-form.tsx";
import type { AddPasskeyScreen } from "./step.ts";

/** Draws the page that offers the user a passkey. */
export function drawAddPasskey({ frame, t, problem }: StepDrawing, screen: AddPasskeyScreen): PageParts {
  const { publicKey, conditional, isNewDevice = false } = screen;
  return {
    title: t.text(isNewDevice ? "addPasskeyDeviceTitle" : "addPasskeyTitle"),
    content: (
      <>
        <p class="lead">{t.text(isNewDevice ? "addPasskeyDeviceLead" : "addPasskeyLead")}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <WebauthnForm
          frame={frame}
          t={t}
          action="add-passkey"
          publicKey={publicKey}
          conditional={conditional}
          submit={t.text("newPasskeySubmit")}
        />
        <Form frame={frame}>
          <FormAction value="decline-passkey" kind="second">
            {t.text("addPasskeyDecline")}
          </FormAction>
        </Form>
      </>
    ),
  };
}

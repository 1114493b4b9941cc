import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Form, FormAction } from "../../components/form.tsx";
import { SecretText } from "../../components/secret-text.tsx";
import type { RecoveryCodeScreen } from "./step.ts";

/** Draws the page that shows a new recovery code once. */
export function drawRecoveryCode({ frame, t }: StepDrawing, { code }: RecoveryCodeScreen): PageParts {
  return {
    title: t.text("recoveryTitle"),
    content: (
      <>
        <p class="lead">{t.text("recoveryLead")}</p>
        <SecretText t={t} value={code} label={t.text("recoveryLabel")} copyLabel={t.text("recoveryCopy")} />
        <Form frame={frame}>
          <FormAction value="recovery-code-stored">{t.text("recoveryDone")}</FormAction>
        </Form>
      </>
    ),
  };
}

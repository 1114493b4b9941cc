import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Form, FormAction } from "../../components/form.tsx";
import type { RecoveryCodeScreen } from "./step.ts";

/** Draws the page that shows a new recovery code once. */
export function drawRecoveryCode({ frame, t }: StepDrawing, { code }: RecoveryCodeScreen): PageParts {
  return {
    title: t.text("recoveryTitle"),
    content: (
      <>
        <p class="lead">{t.text("recoveryLead")}</p>
        <p>
          <code class="secret" dir="ltr" aria-label={t.text("recoveryLabel")}>
            {code.match(/.{1,4}/g)?.join(" ")}
          </code>
        </p>
        <Form frame={frame}>
          <FormAction value="recovery-code-stored">{t.text("recoveryDone")}</FormAction>
        </Form>
      </>
    ),
  };
}

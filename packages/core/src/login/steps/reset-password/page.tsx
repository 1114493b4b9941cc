import type { ResetPasswordScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { FormAction, Form, ProblemNote } from "../../components/form.tsx";
import { IdentifierField, missingText } from "../../components/identifier-field.tsx";

/** Draws the page that asks a visitor who forgot their password for an identifier of their account. */
export function drawResetPassword({ frame, t, problem }: StepDrawing, { identifier, kinds }: ResetPasswordScreen): PageParts {
  const missing = problem?.text === "identifierMissing" ? { ...problem, text: missingText(kinds) } : problem;
  return {
    title: t.text("resetTitle"),
    content: (
      <>
        <p class="lead">{t.text("resetLead")}</p>
        <ProblemNote frame={frame} t={t} problem={missing} />
        <Form frame={frame}>
          <IdentifierField t={t} kinds={kinds} identifier={identifier} problem={problem} />
          <FormAction value="send-reset">{t.text("resetSubmit")}</FormAction>
        </Form>
        <div class="others">
          <Form frame={frame}>
            <FormAction value="sign-in-instead" kind="small">
              {t.text("resetBack")}
            </FormAction>
          </Form>
        </div>
      </>
    ),
  };
}

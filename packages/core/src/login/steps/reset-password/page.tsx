import type { ResetPasswordScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Action, Form, ProblemNote } from "../../components/form.tsx";
import { IdentifierField, missingText } from "../../components/identifier-field.tsx";

/** Asks a visitor who forgot their password for their account. */
export function drawResetPassword({ frame, say, problem }: StepDrawing, { identifier, kinds }: ResetPasswordScreen): PageParts {
  const missing = problem?.text === "identifierMissing" ? { ...problem, text: missingText(kinds) } : problem;
  return {
    title: say.text("resetTitle"),
    content: (
      <>
        <p class="lead">{say.text("resetLead")}</p>
        <ProblemNote frame={frame} say={say} problem={missing} />
        <Form frame={frame}>
          <IdentifierField say={say} kinds={kinds} identifier={identifier} problem={problem} />
          <Action value="send-reset">{say.text("resetSubmit")}</Action>
        </Form>
        <div class="others">
          <Form frame={frame}>
            <Action value="sign-in-instead" kind="small">
              {say.text("resetBack")}
            </Action>
          </Form>
        </div>
      </>
    ),
  };
}

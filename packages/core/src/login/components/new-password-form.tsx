import type { JSX } from "preact";
import type { NewPasswordRule } from "../new-password.ts";
import type { StepDrawing } from "./drawing.ts";
import { Form, FormAction, ProblemNote } from "./form.tsx";
import { NewPasswordField } from "./new-password.tsx";

interface NewPasswordFormProps extends StepDrawing {
  /** The name of the account, for password managers. */
  readonly account: string;
  readonly rules: readonly NewPasswordRule[];
  /** The text of the button. */
  readonly submit: string;
}

/** Renders the form in which a user chooses a new password, with its problem and its effect. */
export function NewPasswordForm({ frame, t, problem, account, rules, submit }: NewPasswordFormProps): JSX.Element {
  return (
    <>
      <ProblemNote frame={frame} t={t} problem={problem} />
      <Form frame={frame}>
        <NewPasswordField t={t} account={account} label={t.text("newPasswordLabel")} rules={rules} problem={problem} />
        <FormAction value="set-password">{submit}</FormAction>
      </Form>
      <p class="note">{t.text("newPasswordNote")}</p>
    </>
  );
}

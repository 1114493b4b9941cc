import type { NewPasswordScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Account } from "../../components/account.tsx";
import { FormAction, Form, ProblemNote } from "../../components/form.tsx";
import { NewPasswordField } from "../../components/new-password.tsx";

/** Draws the page that asks for a new password. */
export function drawNewPassword({ frame, t, problem }: StepDrawing, { account, rules }: NewPasswordScreen): PageParts {
  return {
    title: t.text("newPasswordTitle"),
    content: (
      <>
        <Account
          frame={frame}
          account={account}
          about={t.text("newPasswordFor")}
          change="sign-in-instead"
          changeText={t.text("newPasswordStop")}
          changeName={t.text("newPasswordStopName")}
        />
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <NewPasswordField t={t} account={account} label={t.text("newPasswordLabel")} rules={rules} problem={problem} />
          <FormAction value="set-password">{t.text("newPasswordSubmit")}</FormAction>
        </Form>
        <p class="note">{t.text("newPasswordNote")}</p>
      </>
    ),
  };
}

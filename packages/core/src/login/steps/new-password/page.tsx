import type { NewPasswordScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Account } from "../../components/account.tsx";
import { NewPasswordForm } from "../../components/new-password-form.tsx";

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
        <NewPasswordForm frame={frame} t={t} problem={problem} account={account} rules={rules} submit={t.text("newPasswordSubmit")} />
      </>
    ),
  };
}

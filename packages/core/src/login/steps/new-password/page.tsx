import type { NewPasswordScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Account } from "../../components/account.tsx";
import { Action, Form, ProblemNote } from "../../components/form.tsx";
import { NewPassword } from "../../components/new-password.tsx";

/** Asks for a new password. */
export function drawNewPassword({ frame, say, problem }: StepDrawing, { account, rules }: NewPasswordScreen): PageParts {
  return {
    title: say.text("newPasswordTitle"),
    content: (
      <>
        <Account
          frame={frame}
          account={account}
          about={say.text("newPasswordFor")}
          change="sign-in-instead"
          changeText={say.text("newPasswordStop")}
          changeName={say.text("newPasswordStopName")}
        />
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          <NewPassword say={say} account={account} label={say.text("newPasswordLabel")} rules={rules} problem={problem} />
          <Action value="set-password">{say.text("newPasswordSubmit")}</Action>
        </Form>
        <p class="note">{say.text("newPasswordNote")}</p>
      </>
    ),
  };
}

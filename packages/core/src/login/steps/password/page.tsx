import type { PasswordScreen } from "./step.ts";
import { Invited } from "../../kit/invited.tsx";
import { Account, PasswordField } from "../../kit/account.tsx";
import type { Drawn, StepDrawing } from "../../kit/drawing.ts";
import { Action, Form, ProblemNote } from "../../kit/form.tsx";

/** Asks for a password. */
export function drawPassword({ frame, say, problem }: StepDrawing, { identifier, again = false, invitation }: PasswordScreen): Drawn {
  return {
    title: say.text(again ? "againTitle" : "passwordTitle"),
    pictures: [invitation?.organization.logoUrl],
    content: (
      <>
        <Account
          frame={frame}
          account={identifier}
          about={say.text("passwordAccount")}
          change="change-identifier"
          changeText={say.text("passwordChange")}
          changeName={say.text("passwordChangeName")}
        />
        <Invited say={say} invitation={invitation} />
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <PasswordField
              say={say}
              account={identifier}
              label={say.text("passwordLabel")}
              autocomplete="current-password"
              problem={problem}
            />
          </div>
          <Action value="sign-in">{say.text("passwordSubmit")}</Action>
        </Form>
      </>
    ),
  };
}

import type { PasswordScreen } from "../../screen.ts";
import { Account, PasswordField } from "../../kit/account.tsx";
import { Action, Form, Problem, type Drawing, type Drawn } from "../../kit/form.tsx";

/** Asks for a password. */
export function drawPassword({ frame, say }: Drawing, { identifier, problem }: PasswordScreen): Drawn {
  return {
    title: say.text("passwordTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <Account
          frame={frame}
          say={say}
          account={identifier}
          about={say.text("passwordAccount")}
          change="change-identifier"
          changeName={say.text("passwordChangeName")}
        />
        <Problem frame={frame} say={say} problem={problem} />
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

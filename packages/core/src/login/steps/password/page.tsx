import type { PasswordScreen } from "./step.ts";
import { Invited } from "../../components/invited.tsx";
import { Account, PasswordField } from "../../components/account.tsx";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Action, Form, ProblemNote } from "../../components/form.tsx";
import type { Problem, ProblemText } from "../../step.ts";

/** The problem texts that mention the password reset, used if a reset is offered. */
const orReset: { readonly [Text in ProblemText]?: ProblemText } = {
  wrongCredentials: "wrongCredentialsOrReset",
  tooManyAttempts: "tooManyAttemptsOrReset",
};

function withReset(problem: Problem): Problem {
  return { ...problem, text: orReset[problem.text] ?? problem.text };
}

/** Asks for a password. */
export function drawPassword({ frame, say, problem }: StepDrawing, screen: PasswordScreen): PageParts {
  const { identifier, again = false, code, reset, invitation } = screen;
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
        <ProblemNote frame={frame} say={say} problem={problem && reset ? withReset(problem) : problem} />
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
        {(code !== undefined || reset) && (
          <div class="others">
            {code !== undefined && (
              <Form frame={frame}>
                <Action value="send-code" kind="small">
                  {say.text(code === "email" ? "passwordCodeEmail" : "passwordCodeSms")}
                </Action>
              </Form>
            )}
            {reset && (
              <Form frame={frame}>
                <Action value="forgot-password" kind="small">
                  {say.text("passwordForgot")}
                </Action>
              </Form>
            )}
          </div>
        )}
      </>
    ),
  };
}

import type { PasswordScreen } from "./step.ts";
import { Invited } from "../../components/invited.tsx";
import { Account, PasswordField } from "../../components/account.tsx";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { FormAction, Form, ProblemNote } from "../../components/form.tsx";
import { PasskeySignIn, PasskeySupport } from "../../components/passkey-sign-in.tsx";
import type { Problem, ProblemText } from "../../step.ts";

/** The problem texts that mention the password reset, by the texts that they replace if the page offers a reset. */
const orReset: { readonly [Text in ProblemText]?: ProblemText } = {
  wrongCredentials: "wrongCredentialsOrReset",
  tooManyAttempts: "tooManyAttemptsOrReset",
};

function withReset(problem: Problem): Problem {
  return { ...problem, text: orReset[problem.text] ?? problem.text };
}

/** Draws the page that asks for a password. */
export function drawPassword({ frame, t, problem }: StepDrawing, screen: PasswordScreen): PageParts {
  const { identifier, again = false, code, reset, passkey, invitation } = screen;
  return {
    title: t.text(again ? "againTitle" : "passwordTitle"),
    pictures: [invitation?.organization.logoUrl],
    content: (
      <>
        <Account
          frame={frame}
          account={identifier}
          about={t.text("passwordAccount")}
          change="change-identifier"
          changeText={t.text("passwordChange")}
          changeName={t.text("passwordChangeName")}
        />
        <Invited t={t} invitation={invitation} />
        <ProblemNote frame={frame} t={t} problem={problem && reset ? withReset(problem) : problem} />
        <Form frame={frame}>
          {passkey && <PasskeySupport />}
          <div class="field">
            <PasswordField t={t} account={identifier} label={t.text("passwordLabel")} autocomplete="current-password" problem={problem} />
          </div>
          <FormAction value="sign-in">{t.text("passwordSubmit")}</FormAction>
        </Form>
        {passkey?.button === true && <PasskeySignIn frame={frame} t={t} passkey={{ ...passkey, autofill: false }} separated />}
        {(code !== undefined || reset) && (
          <div class="others">
            {code !== undefined && (
              <Form frame={frame}>
                <FormAction value="send-code" kind="small">
                  {t.text(code === "email" ? "passwordCodeEmail" : "passwordCodeSms")}
                </FormAction>
              </Form>
            )}
            {reset && (
              <Form frame={frame}>
                <FormAction value="forgot-password" kind="small">
                  {t.text("passwordForgot")}
                </FormAction>
              </Form>
            )}
          </div>
        )}
      </>
    ),
  };
}

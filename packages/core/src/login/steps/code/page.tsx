import type { JSX } from "preact";
import type { CodeScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Address } from "../../components/address.tsx";
import { Invited } from "../../components/invited.tsx";
import { FormAction, describedByProblem, Form, ProblemNote } from "../../components/form.tsx";
import { Icon } from "../../components/icons.tsx";

const changes = {
  login: "codeChangeLogin",
  "sign-up": "codeChangeSignUp",
  "reset-password": "codeChangeReset",
  "link-account": "linkAccountOther",
} as const;

/**
 * The text of the link to sign in with an existing account, for each purpose that has such a link. The link has the
 * same text on the previous page.
 */
const signInLinks = { "sign-up": "signInInstead", "reset-password": "resetBack", login: undefined, "link-account": undefined } as const;

export function drawCode(drawing: StepDrawing, screen: CodeScreen): PageParts {
  const { frame, t, problem } = drawing;
  const { purpose, channel, again, resendIn, usePassword, invitation } = screen;
  const signInLink = signInLinks[purpose];
  return {
    title: t.text(channel === "email" ? "codeTitleEmail" : "codeTitleSms"),
    pictures: [invitation?.organization.logoUrl],
    content: (
      <>
        <SentTo {...drawing} screen={screen} />
        <Invited t={t} invitation={invitation} />
        {again && problem === undefined && (
          <div class="problem notice" role="status">
            <Icon name="check" />
            <p>{t.text("codeAgain")}</p>
          </div>
        )}
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <label for="code">{t.text("codeLabel")}</label>
            <input
              id="code"
              name="code"
              class="input code"
              type="text"
              inputmode="numeric"
              autocomplete="one-time-code"
              autocapitalize="none"
              enterkeyhint="go"
              spellcheck={false}
              dir="ltr"
              maxlength={100}
              required
              data-missing={t.text("codeMissing")}
              autofocus
              {...describedByProblem(problem, "code")}
            />
          </div>
          <FormAction value="enter-code">{t.text("codeSubmit")}</FormAction>
        </Form>
        <div class="others">
          <Form frame={frame}>
            <FormAction value="resend-code" kind="small" waits={resendIn}>
              {t.text("codeResend")}
            </FormAction>
          </Form>
          <Form frame={frame}>
            <FormAction value="change-address" kind="small">
              {t.text(changes[purpose])}
            </FormAction>
          </Form>
          {usePassword && (
            <Form frame={frame}>
              <FormAction value="use-password" kind="small">
                {t.text("codeUsePassword")}
              </FormAction>
            </Form>
          )}
          {signInLink !== undefined && (
            <Form frame={frame}>
              <FormAction value="sign-in-instead" kind="small">
                {t.text(signInLink)}
              </FormAction>
            </Form>
          )}
        </div>
      </>
    ),
  };
}

/**
 * Names the destination of the code. If the visitor entered a username to reset a password, the email address of the
 * account is not displayed, because it is private.
 */
function SentTo({ t, screen: { purpose, channel, sentTo } }: StepDrawing & { readonly screen: CodeScreen }): JSX.Element {
  if (sentTo === undefined) return <p class="lead">{t.text("codeLeadAccount")}</p>;
  const address = <Address>{sentTo}</Address>;
  const key = purpose === "reset-password" ? "codeLeadReset" : channel === "email" ? "codeLeadEmail" : "codeLeadSms";
  return <p class="lead">{t.pieces(key, { address })}</p>;
}

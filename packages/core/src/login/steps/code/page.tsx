import type { JSX } from "preact";
import type { CodeScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Address } from "../../components/address.tsx";
import { Invited } from "../../components/invited.tsx";
import { Action, describedByProblem, Form, ProblemNote } from "../../components/form.tsx";
import { Icon } from "../../components/icons.tsx";

const changes = {
  login: "codeChangeLogin",
  "sign-up": "codeChangeSignUp",
  "reset-password": "codeChangeReset",
  "link-account": "linkAccountOther",
} as const;

/**
 * The text of the link to sign in with an existing account, for each purpose that has one. It is the text of the page
 * before.
 */
const signInLinks = { "sign-up": "signInInstead", "reset-password": "resetBack", login: undefined, "link-account": undefined } as const;

export function drawCode(drawing: StepDrawing, screen: CodeScreen): PageParts {
  const { frame, say, problem } = drawing;
  const { purpose, channel, again, resendIn, usePassword, invitation } = screen;
  const signInLink = signInLinks[purpose];
  return {
    title: say.text(channel === "email" ? "codeTitleEmail" : "codeTitleSms"),
    pictures: [invitation?.organization.logoUrl],
    content: (
      <>
        <SentTo {...drawing} screen={screen} />
        <Invited say={say} invitation={invitation} />
        {again && problem === undefined && (
          <div class="problem notice" role="status">
            <Icon name="check" />
            <p>{say.text("codeAgain")}</p>
          </div>
        )}
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <label for="code">{say.text("codeLabel")}</label>
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
              data-missing={say.text("codeMissing")}
              autofocus
              {...describedByProblem(problem, "code")}
            />
          </div>
          <Action value="enter-code">{say.text("codeSubmit")}</Action>
        </Form>
        <div class="others">
          <Form frame={frame}>
            <Action value="resend-code" kind="small" waits={resendIn}>
              {say.text("codeResend")}
            </Action>
          </Form>
          <Form frame={frame}>
            <Action value="change-address" kind="small">
              {say.text(changes[purpose])}
            </Action>
          </Form>
          {usePassword && (
            <Form frame={frame}>
              <Action value="use-password" kind="small">
                {say.text("codeUsePassword")}
              </Action>
            </Form>
          )}
          {signInLink !== undefined && (
            <Form frame={frame}>
              <Action value="sign-in-instead" kind="small">
                {say.text(signInLink)}
              </Action>
            </Form>
          )}
        </div>
      </>
    ),
  };
}

/**
 * Names the destination of the code. If the visitor entered a username for a reset, the address is not shown: it is
 * private to the owner.
 */
function SentTo({ say, screen: { purpose, channel, sentTo } }: StepDrawing & { readonly screen: CodeScreen }): JSX.Element {
  if (sentTo === undefined) return <p class="lead">{say.text("codeLeadAccount")}</p>;
  const address = <Address>{sentTo}</Address>;
  const key = purpose === "reset-password" ? "codeLeadReset" : channel === "email" ? "codeLeadEmail" : "codeLeadSms";
  return <p class="lead">{say.pieces(key, { address })}</p>;
}

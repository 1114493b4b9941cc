import type { JSX } from "preact";
import type { Problem } from "../step.ts";
import type { Drawing } from "./drawing.ts";
import { FormAction, Clamped, describedByProblem, Form } from "./form.tsx";
import { Icon } from "./icons.tsx";
import { Reveal } from "./reveal.tsx";

/**
 * Renders the account that a page is about, with a button to change it. The button has a separate form, so that the
 * Enter key in the password field submits the password.
 */
export function Account({ frame, account, about, change, changeText, changeName }: AccountProps): JSX.Element {
  return (
    <Form frame={frame} class="account">
      <p>
        <Icon name="person" />
        <span>
          <span class="unseen">{about} </span>
          <Clamped id="account">{account}</Clamped>
        </span>
      </p>
      <FormAction value={change} kind="small" label={changeName}>
        {changeText}
      </FormAction>
    </Form>
  );
}

/** Renders the name of the signed-in user, with a button to sign in with another account. */
export function NotYou({ frame, t, account }: Drawing & { readonly account: string }): JSX.Element {
  return (
    <Account
      frame={frame}
      account={account}
      about={t.text("consentAccountAbout")}
      change="other-account"
      changeText={t.text("consentNotYou")}
      changeName={t.text("consentNotYouName")}
    />
  );
}

/** Renders the name of the signed-in user, without a button. */
export function SignedInAs({ t, account }: Pick<Drawing, "t"> & { readonly account: string }): JSX.Element {
  return <ForAccount account={account} about={t.text("consentAccountAbout")} />;
}

/** The account that a page is about. */
export interface ForAccountProps {
  readonly account: string;
  /** The text before the account. */
  readonly about: string;
}

/** Renders the account that a page is about, without a button. */
export function ForAccount({ account, about }: ForAccountProps): JSX.Element {
  return (
    <div class="account">
      <p>
        <Icon name="person" />
        <span>
          <span class="about">{about} </span>
          <Clamped id="account">{account}</Clamped>
        </span>
      </p>
    </div>
  );
}

interface AccountProps extends Pick<Drawing, "frame"> {
  readonly account: string;
  /** The text before the account, for screen readers. */
  readonly about: string;
  /** The action that changes the account, followed by the text and the accessible name of its button. */
  readonly change: string;
  readonly changeText: string;
  readonly changeName: string;
}

/** Renders a password field. `NewPasswordField` uses it for a new password, and adds the requirements. */
export function PasswordField({ t, account, label, autocomplete, problem, demands, least, rules }: PasswordProps): JSX.Element {
  const described = describedByProblem(problem, "password");
  const ids = [described["aria-describedby"], demands].filter((id) => id !== undefined).join(" ");
  return (
    <>
      {/* Password managers look for the account in a text field before the password. */}
      {account !== undefined && (
        <input
          class="unseen"
          type="text"
          name="identifier"
          value={account}
          autocomplete="username"
          readonly
          tabindex={-1}
          aria-hidden="true"
        />
      )}
      <label for="password">{label}</label>
      <div class="concealed">
        <input
          id="password"
          name="password"
          class="input"
          type="password"
          autocomplete={autocomplete}
          enterkeyhint="go"
          required
          minlength={least}
          {...(rules !== undefined && rules !== "" && { passwordrules: rules })}
          data-missing={t.text("passwordMissing")}
          autofocus
          {...described}
          {...(ids !== "" && { "aria-describedby": ids })}
        />
        <Reveal t={t} field="password" />
      </div>
      <p class="hint" role="status" data-caps={t.text("passwordCapsLock")} />
    </>
  );
}

interface PasswordProps extends Pick<Drawing, "t"> {
  /** The account that the password belongs to. Undefined if the form has a separate field for it. */
  readonly account: string | undefined;
  readonly label: string;
  readonly autocomplete: "current-password" | "new-password";
  readonly problem: Problem | undefined;
  /** The id of the element that lists the requirements for a new password. */
  readonly demands?: string | undefined;
  /** The minimum number of characters in a new password. */
  readonly least?: number | undefined;
  /** The value of the `passwordrules` attribute, by which password managers generate a new password. */
  readonly rules?: string;
}

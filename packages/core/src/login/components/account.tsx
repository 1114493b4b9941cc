import type { JSX } from "preact";
import type { Problem } from "../step.ts";
import type { Drawing } from "./drawing.ts";
import { Action, Clamped, describedByProblem, Form } from "./form.tsx";
import { Icon } from "./icons.tsx";
import { Reveal } from "./reveal.tsx";

/** Says which account a page is about, with a way to another. A form of its own: in that of the password, Enter must mean the password. */
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
      <Action value={change} kind="small" label={changeName}>
        {changeText}
      </Action>
    </Form>
  );
}

/** Says who is signed in, on a page that is for them; with a way to sign in as somebody else. */
export function NotYou({ frame, say, account }: Drawing & { readonly account: string }): JSX.Element {
  return (
    <Account
      frame={frame}
      account={account}
      about={say.text("consentAccountAbout")}
      change="other-account"
      changeText={say.text("consentNotYou")}
      changeName={say.text("consentNotYouName")}
    />
  );
}

/** Says who is signed in, and no more. */
export function SignedInAs({ say, account }: Pick<Drawing, "say"> & { readonly account: string }): JSX.Element {
  return <ForAccount account={account} about={say.text("consentAccountAbout")} />;
}

/** Says which account a page is about, and no more. @param about stands before it. */
export function ForAccount({ account, about }: { readonly account: string; readonly about: string }): JSX.Element {
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
  /** What stands before the account, for whoever hears the page. */
  readonly about: string;
  /** The action that leads to another account, what its button says, and what it is called. */
  readonly change: string;
  readonly changeText: string;
  readonly changeName: string;
}

/** The field for a password. That for a new one is `NewPassword`. */
export function PasswordField({ say, account, label, autocomplete, problem, demands, least, rules }: PasswordProps): JSX.Element {
  const described = describedByProblem(problem, "password");
  const ids = [described["aria-describedby"], demands].filter((id) => id !== undefined).join(" ");
  return (
    <>
      {/* For password managers, which look for a text field before the password. */}
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
          data-missing={say.text("passwordMissing")}
          autofocus
          {...described}
          {...(ids !== "" && { "aria-describedby": ids })}
        />
        <Reveal say={say} field="password" />
      </div>
      <p class="hint" role="status" data-caps={say.text("passwordCapsLock")} />
    </>
  );
}

interface PasswordProps extends Pick<Drawing, "say"> {
  /** Whose password it is. Left out: the form says so in a field of its own. */
  readonly account: string | undefined;
  readonly label: string;
  readonly autocomplete: "current-password" | "new-password";
  readonly problem: Problem | undefined;
  /** The id of what says what a new one needs. */
  readonly demands?: string | undefined;
  /** How many characters a new one needs. */
  readonly least?: number | undefined;
  /** What a new one needs, for password managers: the attribute `passwordrules`. */
  readonly rules?: string;
}

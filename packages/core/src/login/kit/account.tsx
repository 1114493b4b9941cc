import type { JSX } from "preact";
import type { Problem } from "../step.ts";
import type { Drawing } from "./drawing.ts";
import { Action, describedByProblem, Form } from "./form.tsx";
import { Icon } from "./icons.tsx";
import { Reveal } from "./reveal.tsx";

/** Says which account a page is about, with a way to another. A form of its own: in that of the password, Enter must mean the password. */
export function Account({ frame, say, account, about, change, changeName }: AccountProps): JSX.Element {
  return (
    <Form frame={frame} class="account">
      <p>
        <Icon name="person" />
        <span>
          <span class="unseen">{about} </span>
          <bdi id="account">{account}</bdi>
        </span>
      </p>
      <Action value={change} kind="small" label={changeName}>
        {say.text("passwordChange")}
      </Action>
    </Form>
  );
}

interface AccountProps extends Drawing {
  readonly account: string;
  /** What stands before the account, for whoever hears the page. */
  readonly about: string;
  /** The action that leads to another account, and what it is called. */
  readonly change: string;
  readonly changeName: string;
}

/** The field for a password. @param demands the id of what says what a new one needs. */
export function PasswordField({ say, account, label, autocomplete, problem, demands }: PasswordProps): JSX.Element {
  const described = describedByProblem(problem);
  const ids = [described["aria-describedby"], demands].filter((id) => id !== undefined).join(" ");
  return (
    <>
      {/* For password managers, which look for a text field before the password. */}
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
  readonly account: string;
  readonly label: string;
  readonly autocomplete: "current-password" | "new-password";
  readonly problem: Problem | undefined;
  readonly demands?: string;
}

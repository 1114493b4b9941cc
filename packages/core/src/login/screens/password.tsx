import type { PasswordScreen } from "../screen.ts";
import { Action, describedByProblem, Form, Problem, type Drawing, type Drawn } from "./form.tsx";
import { Icon } from "./icons.tsx";
import { Reveal } from "./reveal.tsx";

/** Asks for a password. Changing the account is a form of its own: in this one, Enter must mean "sign in". */
export function drawPassword({ frame, say }: Drawing, { identifier, problem }: PasswordScreen): Drawn {
  return {
    title: say.text("passwordTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <Form frame={frame} class="account">
          <p>
            <Icon name="person" />
            <span>
              <span class="unseen">{say.text("passwordAccount")} </span>
              <bdi id="account">{identifier}</bdi>
            </span>
          </p>
          <Action value="change-identifier" kind="small" label={say.text("passwordChangeName")}>
            {say.text("passwordChange")}
          </Action>
        </Form>
        <Problem frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          {/* For password managers, which look for a text field before the password. */}
          <input
            class="unseen"
            type="text"
            name="identifier"
            value={identifier}
            autocomplete="username"
            readonly
            tabindex={-1}
            aria-hidden="true"
          />
          <div class="field">
            <label for="password">{say.text("passwordLabel")}</label>
            <div class="concealed">
              <input
                id="password"
                name="password"
                class="input"
                type="password"
                autocomplete="current-password"
                enterkeyhint="go"
                required
                autofocus
                {...describedByProblem(problem)}
              />
              <Reveal say={say} field="password" />
            </div>
          </div>
          <Action value="sign-in">{say.text("passwordSubmit")}</Action>
        </Form>
      </>
    ),
  };
}

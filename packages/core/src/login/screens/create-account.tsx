import type { PasswordRule } from "../../domain/passwords/strength.ts";
import type { Translate } from "../../locales/translate.ts";
import type { CreateAccountScreen } from "../screen.ts";
import { Action, Form, Name, Problem, type Drawing, type Drawn } from "./form.tsx";
import { Icon } from "./icons.tsx";
import { Tile } from "./marks.tsx";
import { Reveal } from "./reveal.tsx";

/** Asks a new person who is invited for a password. */
export function drawCreateAccount({ frame, say }: Drawing, { organization, inviter, email, rules, problem }: CreateAccountScreen): Drawn {
  const demands = rules.flatMap((rule) => demandOf(say, rule) ?? []);
  return {
    title: say.text("createAccountTitle"),
    problem: problem !== undefined,
    mark: (
      <div class="pair" aria-hidden="true">
        <Tile name={organization.name} picture={organization.logoUrl} />
      </div>
    ),
    content: (
      <>
        <p class="lead">
          {say.pieces("invitationLead", { inviter: <Name>{inviter}</Name>, organization: <Name>{organization.name}</Name> })}
        </p>
        <Form frame={frame} class="account">
          <p>
            <Icon name="person" />
            <span>
              <span class="unseen">{say.text("createAccountFor")} </span>
              <bdi id="account">{email}</bdi>
            </span>
          </p>
          <Action value="have-account" kind="small" label={say.text("createAccountOtherName")}>
            {say.text("passwordChange")}
          </Action>
        </Form>
        <Problem frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          {/* For password managers, which look for a text field before the password. */}
          <input class="unseen" type="text" value={email} autocomplete="username" readonly tabindex={-1} aria-hidden="true" />
          <div class="field">
            <label for="password">{say.text("createAccountPassword")}</label>
            <div class="concealed">
              <input
                id="password"
                name="password"
                class="input"
                type="password"
                autocomplete="new-password"
                enterkeyhint="go"
                required
                autofocus
                aria-describedby={problem === undefined ? "demands" : "problem demands"}
                {...(problem !== undefined && { "aria-invalid": "true" })}
              />
              <Reveal say={say} field="password" />
            </div>
            <ul class="demands" id="demands">
              {demands.map((demand) => (
                <li key={demand}>{demand}</li>
              ))}
            </ul>
          </div>
          <Action value="create-account">{say.text("createAccountSubmit")}</Action>
        </Form>
      </>
    ),
  };
}

/** A rule of the connection in the person's language. Undefined for what every password keeps. */
function demandOf(say: Translate, { code, format = [] }: PasswordRule): string | undefined {
  switch (code) {
    case "lengthAtLeast":
      return say.text("demandLength", { count: String(format[0]) });
    case "shouldContain":
      return say.text("demandContain");
    case "containsAtLeast":
      return say.text("demandKinds");
    case "identicalChars":
      return say.text("demandIdentical");
    default:
      return undefined;
  }
}

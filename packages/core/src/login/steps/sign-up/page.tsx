import type { JSX } from "preact";
import type { SignUpScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Action, describedByProblem, Form, ProblemNote } from "../../components/form.tsx";
import { NewPassword } from "../../components/new-password.tsx";
import { Or, ProviderButtons } from "../../components/provider-buttons.tsx";
import { Lead } from "../../components/lead.tsx";

/** The input type of each field. Never `type="email"`: browsers reject addresses there that mail servers accept. */
const looks = {
  email: { label: "labelEmail", missing: "missingEmail", type: "text", inputmode: "email", autocomplete: "email", dir: "ltr" },
  username: { label: "labelUsername", missing: "missingUsername", type: "text", inputmode: "text", autocomplete: "username", dir: "auto" },
  phone_number: { label: "labelPhone", missing: "missingPhone", type: "tel", inputmode: "tel", autocomplete: "tel", dir: "ltr" },
} as const;

type FieldName = keyof typeof looks;

/** Asks a visitor who signs up for the identifiers of the account and a password. */
export function drawSignUp(drawing: StepDrawing, { fields, typed, rules, providers = [] }: SignUpScreen): PageParts {
  const { frame, say, problem } = drawing;
  const names = (["email", "username", "phone_number"] as const).filter((name) => fields[name] !== "inactive");
  return {
    title: say.text("signUpTitle"),
    content: (
      <>
        <Lead frame={frame} say={say} />
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame} class="fields">
          {names.map((name, index) => (
            <Field key={name} {...drawing} name={name} text={typed[name]} required={fields[name] === "required"} first={index === 0} />
          ))}
          <NewPassword say={say} label={say.text("createAccountPassword")} rules={rules} problem={problem} />
          <Action value="make-account">{say.text("signUpSubmit")}</Action>
        </Form>
        {providers.length > 0 && (
          <>
            <Or say={say} />
            <ProviderButtons frame={frame} say={say} providers={providers} />
          </>
        )}
        <div class="others">
          <Form frame={frame}>
            <span>{say.text("signUpHave")}</span>
            <Action value="sign-in-instead" kind="small">
              {say.text("signUpSignIn")}
            </Action>
          </Form>
        </div>
      </>
    ),
  };
}

interface FieldProps extends StepDrawing {
  readonly name: FieldName;
  readonly text: string | undefined;
  readonly required: boolean;
  readonly first: boolean;
}

function Field({ say, problem, name, text, required, first }: FieldProps): JSX.Element {
  const { label, missing, ...typing } = looks[name];
  return (
    <div class="field">
      <label for={name}>
        {say.text(label)}
        {!required && <span class="optional"> {say.text("fieldOptional")}</span>}
      </label>
      <input
        id={name}
        name={name}
        class="input"
        {...typing}
        value={text}
        autocapitalize="none"
        enterkeyhint="next"
        spellcheck={false}
        maxlength={320}
        required={required}
        {...(required && { "data-missing": say.text(missing) })}
        autofocus={first && problem === undefined}
        {...describedByProblem(problem, name)}
      />
    </div>
  );
}

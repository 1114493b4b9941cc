import type { JSX } from "preact";
import type { SignUpScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { FormAction, describedByProblem, Form, ProblemNote } from "../../components/form.tsx";
import { Icon } from "../../components/icons.tsx";
import { NewPasswordField } from "../../components/new-password.tsx";
import { Or, ProviderButtons } from "../../components/provider-buttons.tsx";
import { Lead } from "../../components/lead.tsx";

/**
 * The input attributes of each field. The type is never `email`, because browsers then reject addresses that mail
 * servers accept.
 */
const looks = {
  email: { label: "labelEmail", missing: "missingEmail", type: "text", inputmode: "email", autocomplete: "email", dir: "ltr" },
  username: { label: "labelUsername", missing: "missingUsername", type: "text", inputmode: "text", autocomplete: "username", dir: "auto" },
  phone_number: { label: "labelPhone", missing: "missingPhone", type: "tel", inputmode: "tel", autocomplete: "tel", dir: "ltr" },
} as const;

type FieldName = keyof typeof looks;

/** Draws the page that asks for the identifiers and the password of a new account. */
export function drawSignUp(drawing: StepDrawing, { fields, typed, rules, providers = [], passkey }: SignUpScreen): PageParts {
  const { frame, t, problem } = drawing;
  const names = (["email", "username", "phone_number"] as const).filter((name) => fields[name] !== "inactive");
  return {
    title: t.text("signUpTitle"),
    content: (
      <>
        <Lead frame={frame} t={t} />
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame} class="fields">
          {names.map((name, index) => (
            <Field key={name} {...drawing} name={name} text={typed[name]} required={fields[name] === "required"} first={index === 0} />
          ))}
          <NewPasswordField t={t} label={t.text("createAccountPassword")} rules={rules} problem={problem} />
          <FormAction value="make-account">{t.text("signUpSubmit")}</FormAction>
          {passkey && <PasskeyChoice t={t} />}
        </Form>
        {providers.length > 0 && (
          <>
            <Or t={t} />
            <ProviderButtons frame={frame} t={t} providers={providers} />
          </>
        )}
        <div class="others">
          <Form frame={frame}>
            <span>{t.text("signUpHave")}</span>
            <FormAction value="sign-in-instead" kind="small">
              {t.text("signUpSignIn")}
            </FormAction>
          </Form>
        </div>
      </>
    ),
  };
}

/** The page script shows the button if the browser can create a passkey. It submits the form without its password. */
function PasskeyChoice({ t }: Pick<StepDrawing, "t">): JSX.Element {
  return (
    <button
      type="submit"
      name="action"
      value="choose-passkey"
      class="button second passkey-choice"
      data-needs-passkeys
      formnovalidate
      hidden
    >
      <Icon name="key" />
      <span>{t.text("signUpPasskey")}</span>
    </button>
  );
}

interface FieldProps extends StepDrawing {
  readonly name: FieldName;
  readonly text: string | undefined;
  readonly required: boolean;
  readonly first: boolean;
}

function Field({ t, problem, name, text, required, first }: FieldProps): JSX.Element {
  const { label, missing, ...typing } = looks[name];
  return (
    <div class="field">
      <label for={name}>
        {t.text(label)}
        {!required && <span class="optional"> {t.text("fieldOptional")}</span>}
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
        {...(required && { "data-missing": t.text(missing) })}
        autofocus={first && problem === undefined}
        {...describedByProblem(problem, name)}
      />
    </div>
  );
}

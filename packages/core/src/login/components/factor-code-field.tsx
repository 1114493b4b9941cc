import type { JSX } from "preact";
import type { Translate } from "../../locales/translate.ts";
import type { Problem } from "../step.ts";
import { describedByProblem } from "./form.tsx";

interface FactorCodeFieldProps {
  readonly t: Translate;
  readonly label: string;
  /** Whether the code contains letters, as a recovery code does. Default false: the code has digits only. */
  readonly isText?: boolean;
  readonly problem: Problem | undefined;
}

/** Renders the field for the code of a second factor. One field, so that users can paste the code. */
export function FactorCodeField({ t, label, isText = false, problem }: FactorCodeFieldProps): JSX.Element {
  return (
    <div class="field">
      <label for="code">{label}</label>
      <input
        id="code"
        name="code"
        class="input code"
        type="text"
        inputmode={isText ? "text" : "numeric"}
        autocomplete={isText ? "off" : "one-time-code"}
        autocapitalize="none"
        enterkeyhint="go"
        spellcheck={false}
        dir="ltr"
        maxlength={100}
        required
        data-missing={t.text("factorCodeMissing")}
        autofocus
        {...describedByProblem(problem, "code")}
      />
    </div>
  );
}

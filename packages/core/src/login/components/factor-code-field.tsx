import type { JSX } from "preact";
import type { Translate } from "../../locales/translate.ts";
import type { Problem } from "../step.ts";
import { describedByProblem } from "./form.tsx";

interface FactorCodeFieldProps {
  readonly t: Translate;
  readonly label: string;
  /** Whether the code contains letters, as a recovery code does. Default false: the code has digits only. */
  readonly isText?: boolean;
  /** The lifetime of the code in seconds, if the code was sent. */
  readonly validFor?: number | undefined;
  /** Whether the field has the focus when the page opens. Default true. */
  readonly hasFocus?: boolean;
  readonly problem: Problem | undefined;
  /** Whether no code is accepted now. Default false. */
  readonly disabled?: boolean;
}

/** Renders the field for the code of a second factor. One field, so that users can paste the code. */
export function FactorCodeField({
  t,
  label,
  isText = false,
  validFor = 0,
  hasFocus = true,
  problem,
  disabled = false,
}: FactorCodeFieldProps): JSX.Element {
  const minutes = Math.floor(validFor / 60);
  const { "aria-describedby": problemId, ...invalid } = describedByProblem(problem, "code");
  const describedBy = [...(problemId === undefined ? [] : [problemId]), ...(minutes > 0 ? ["code-hint"] : [])].join(" ");
  return (
    <div class="field">
      <label for="code">{label}</label>
      <input
        id="code"
        name="code"
        class={isText ? "input" : "input code"}
        type="text"
        inputmode={isText ? "text" : "numeric"}
        autocomplete={isText ? "off" : "one-time-code"}
        autocapitalize={isText ? "characters" : "none"}
        enterkeyhint="go"
        spellcheck={false}
        dir="ltr"
        maxlength={100}
        required
        data-missing={t.text("factorCodeMissing")}
        autofocus={hasFocus && !disabled}
        disabled={disabled}
        {...invalid}
        {...(describedBy !== "" && { "aria-describedby": describedBy })}
      />
      {minutes > 0 && (
        <p class="hint" id="code-hint">
          {t.text("factorCodeValid", { minutes: String(minutes) })}
        </p>
      )}
    </div>
  );
}

import type { JSX } from "preact";
import type { StepDrawing } from "./drawing.ts";
import { describedByProblem } from "./form.tsx";

/** Renders the field for the number of a new phone. @param props.value a rejected number, which the visitor corrects. */
export function PhoneField({
  t,
  problem,
  value,
}: Pick<StepDrawing, "t" | "problem"> & { readonly value?: string | undefined }): JSX.Element {
  const { "aria-describedby": problemId, ...invalid } = describedByProblem(problem, "phone");
  return (
    <div class="field">
      <label for="phone">{t.text("addPhoneLabel")}</label>
      <input
        id="phone"
        name="phone"
        class="input"
        type="tel"
        autocomplete="tel"
        enterkeyhint="go"
        dir="ltr"
        maxlength={100}
        value={value}
        required
        data-missing={t.text("phoneMalformed")}
        autofocus
        {...invalid}
        aria-describedby={problemId === undefined ? "phone-hint" : `${problemId} phone-hint`}
      />
      <p class="hint" id="phone-hint">
        {t.text("addPhoneHint")}
      </p>
    </div>
  );
}

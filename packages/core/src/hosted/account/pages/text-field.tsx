import type { JSX } from "preact";
import type { StepDrawing } from "../../../login/components/drawing.ts";
import { describedByProblem } from "../../../login/components/form.tsx";

interface TextFieldProps extends StepDrawing {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** The maximum length, in UTF-16 code units. */
  readonly maximum: number;
  readonly autocomplete: string;
  /** The message if the field is empty. Default: the field may be empty. */
  readonly missing?: string;
}

/** Renders a field for a text of one line. */
export function TextField({ problem, id, label, value, maximum, autocomplete, missing }: TextFieldProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>
        <bdi>{label}</bdi>
      </label>
      <input
        id={id}
        name={id}
        class="input"
        type="text"
        value={value}
        dir="auto"
        autocomplete={autocomplete}
        maxlength={maximum}
        {...(missing !== undefined && { required: true, "data-missing": missing })}
        {...describedByProblem(problem, id)}
      />
    </div>
  );
}

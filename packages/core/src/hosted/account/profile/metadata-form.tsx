import type { JSX } from "preact";
import type { StepDrawing } from "../../../login/components/drawing.ts";
import { Select, type SelectChoice } from "../pages/select.tsx";
import { TextField } from "../pages/text-field.tsx";

/** A field of the user's metadata in the form. */
export type MetadataInput = { readonly id: string; readonly label: string } & (
  | { readonly type: "text"; readonly value: string; readonly maximum: number }
  | { readonly type: "boolean"; readonly value: boolean }
  | { readonly type: "choice"; readonly value: string; readonly choices: readonly SelectChoice[] }
);

/** Renders a field of the user's metadata. */
export function MetadataField({ field, ...drawing }: StepDrawing & { readonly field: MetadataInput }): JSX.Element {
  const { id, label } = field;
  switch (field.type) {
    case "text":
      return <TextField {...drawing} id={id} label={label} value={field.value} maximum={field.maximum} autocomplete="off" />;
    case "choice":
      return <Select id={id} label={label} unset={drawing.t.text("languageUnset")} chosen={field.value} choices={field.choices} />;
    case "boolean":
      return (
        <label class="check">
          <input type="checkbox" id={id} name={id} value="true" checked={field.value} />
          <bdi>{label}</bdi>
        </label>
      );
  }
}

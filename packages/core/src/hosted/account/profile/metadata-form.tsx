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

/** The text that a form sends for a checked box. */
export const checked = "true";

/** Returns the name of the hidden field with the value that the form shows for a field. */
export function shownName(id: string): string {
  return `shown-${id}`;
}

/** Renders a field of the user's metadata, and the shown value, so that a form can be compared with it. */
export function MetadataFormField(props: StepDrawing & { readonly field: MetadataInput }): JSX.Element {
  const { id, value } = props.field;
  return (
    <>
      <input type="hidden" name={shownName(id)} value={typeof value === "string" ? value : value ? checked : ""} />
      <MetadataControl {...props} />
    </>
  );
}

function MetadataControl({ field, ...drawing }: StepDrawing & { readonly field: MetadataInput }): JSX.Element {
  const { id, label } = field;
  switch (field.type) {
    case "text":
      return <TextField {...drawing} id={id} label={label} value={field.value} maximum={field.maximum} autocomplete="off" />;
    case "choice":
      return <Select id={id} label={label} unset={drawing.t.text("languageUnset")} chosen={field.value} choices={field.choices} />;
    case "boolean":
      return (
        <label class="check">
          <input type="checkbox" id={id} name={id} value={checked} checked={field.value} />
          <bdi>{label}</bdi>
        </label>
      );
  }
}

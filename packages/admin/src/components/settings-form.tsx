import type { ComponentChildren, JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";
import type { ScreenRequest } from "../screen.ts";
import { beforePrefix, isSecretField, type FieldTexts, type FormField } from "../screens/form-fields.ts";
import { Card, NoticeBox } from "./blocks.tsx";
import { AreaField, ChoiceField, LineField, PostForm, SelectField } from "./post-form.tsx";

/** Renders a form for members of a record. */
export function SettingsForm({
  request,
  title,
  about,
  action,
  fields,
  values,
  before,
  fault,
  submit = consoleTexts.save,
  cancel,
  hidden = {},
  buttons,
  children,
}: SettingsFormProps): JSX.Element {
  const shown = Object.fromEntries(
    fields.filter((field) => !isSecretField(field)).map(({ name }) => [beforePrefix + name, before[name] ?? ""]),
  );
  return (
    <Card {...(title !== undefined && { title })} {...(about !== undefined && { about })}>
      <div class="in">
        {fault !== undefined && <NoticeBox level="bad">{`${consoleTexts.errors.rejected} ${fault}`}</NoticeBox>}
        <PostForm request={request} action={action} class="form" hidden={{ ...shown, ...hidden }} guards>
          {fields.map((field) => (
            <SettingField key={field.name} field={field} value={values[field.name] ?? ""} />
          ))}
          {children}
          <div class="actions">
            <button type="submit" class="button main">
              {submit}
            </button>
            {buttons}
            {cancel !== undefined && (
              <a class="button" href={cancel}>
                {consoleTexts.cancel}
              </a>
            )}
          </div>
        </PostForm>
      </div>
    </Card>
  );
}

interface SettingsFormProps {
  readonly request: Pick<ScreenRequest, "formToken">;
  readonly title?: string;
  readonly about?: string;
  /** The URL that the form posts to. */
  readonly action: string;
  readonly fields: readonly FormField[];
  readonly values: FieldTexts;
  /** The texts that the page has shown before the form was submitted. */
  readonly before: FieldTexts;
  /** Why the values were rejected. */
  readonly fault?: string | undefined;
  /** The text of the button. Default: "Save changes". */
  readonly submit?: string;
  /** The URL of the page without the change. */
  readonly cancel?: string;
  readonly hidden?: { readonly [name: string]: string };
  /** Further buttons, after the first one. */
  readonly buttons?: ComponentChildren;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

function SettingField({ field, value }: { readonly field: FormField; readonly value: string }): JSX.Element {
  const { name, label, hint, kind, options = [], required = false } = field;
  const common = { name, label, ...(hint !== undefined && { hint }) };
  switch (kind) {
    case "line":
    case "number":
      return <LineField {...common} value={value} required={required} />;
    case "secret":
      return <LineField {...common} type="password" autocomplete="new-password" required={required} />;
    case "secret-lines":
      return <AreaField {...common} />;
    case "text":
      return <AreaField {...common} value={value} isCode />;
    case "lines":
      return <AreaField {...common} value={value} />;
    case "choice": {
      // A stored value that the console does not know stays selected.
      const isKnown = value === "" || options.some(([one]) => one === value);
      // Without a stored value, the browser would submit the first option.
      const unset = [["", consoleTexts.usesDefault] as const];
      const known = [...(value === "" ? unset : []), ...options, ...(isKnown ? [] : [[value, value] as const])];
      return <SelectField {...common} value={value} options={known} />;
    }
    case "switch":
      return <ChoiceField type="checkbox" name={name} value="true" title={label} about={hint} checked={value === "true"} />;
  }
}

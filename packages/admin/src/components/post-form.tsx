import type { ComponentChildren, JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";
import type { ScreenRequest } from "../screen.ts";

/** The name of the hidden field with the token of the form. */
export const formTokenField = "form_token";

/** Renders a form that posts to the console, with its token. */
export function PostForm({ request, action, children, class: name, hidden = {}, guards = false }: PostFormProps): JSX.Element {
  return (
    <form method="post" action={action} class={name} {...(guards && { "data-guards": "" })}>
      <input type="hidden" name={formTokenField} value={request.formToken} />
      {Object.entries(hidden).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      {children}
    </form>
  );
}

interface PostFormProps {
  readonly request: Pick<ScreenRequest, "formToken">;
  readonly action: string;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly hidden?: { readonly [name: string]: string };
  /** Whether the browser asks before it leaves the page with changed fields. Default: false. */
  readonly guards?: boolean;
}

/** Renders a form that is only a button. */
export function ActionButton({ request, action, hidden, children, kind = "", label }: ActionButtonProps): JSX.Element {
  return (
    <PostForm request={request} action={action} hidden={hidden}>
      <button type="submit" class={`button ${kind}`} aria-label={label}>
        {children}
      </button>
    </PostForm>
  );
}

interface ActionButtonProps {
  readonly request: Pick<ScreenRequest, "formToken">;
  readonly action: string;
  readonly hidden: { readonly [name: string]: string };
  readonly children: ComponentChildren;
  /** Classes of the button. */
  readonly kind?: string;
  /** The accessible name, if the text alone is ambiguous. It begins with the text. */
  readonly label?: string;
}

/** A field of a form. */
interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  /** Why the value was rejected. */
  readonly fault?: string | undefined;
}

/** Renders a field with one line. */
export function LineField({
  name,
  label,
  value = "",
  hint,
  fault,
  type = "text",
  required = false,
  autocomplete = "off",
}: LineFieldProps): JSX.Element {
  return (
    <div>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        value={value}
        required={required}
        autocomplete={autocomplete}
        dir="auto"
        maxLength={2048}
        {...describedBy(name, hint, fault)}
      />
      <FieldNotes name={name} hint={hint} fault={fault} />
    </div>
  );
}

interface LineFieldProps extends FieldProps {
  readonly type?: "text" | "email" | "password" | "search";
  readonly required?: boolean;
  readonly autocomplete?: "off" | "new-password";
}

/** Renders a field with several lines: JSON, or one value per line. */
export function AreaField({ name, label, value = "", hint, fault, isJson = false, isCode = isJson }: AreaFieldProps): JSX.Element {
  return (
    <div>
      <label for={name}>{label}</label>
      <textarea
        id={name}
        name={name}
        class={isCode ? (isJson ? undefined : "tall") : "lines"}
        spellcheck={false}
        {...(isJson && { "data-json": "" })}
        {...describedBy(name, hint, fault)}
      >
        {value}
      </textarea>
      <FieldNotes name={name} hint={hint} fault={fault} />
      {isJson && <p class="hint bad" id={`${name}-check`} role="status" />}
    </div>
  );
}

interface AreaFieldProps extends FieldProps {
  /** Whether the script checks that the text is a JSON object. Default: false. */
  readonly isJson?: boolean;
  /** Whether the field is high enough for JSON or a template. Default: `isJson`. */
  readonly isCode?: boolean;
}

function FieldNotes({ name, hint, fault }: Pick<FieldProps, "name" | "fault"> & { readonly hint: string | undefined }): JSX.Element {
  return (
    <>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="hint bad" id={`${name}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
}

function describedBy(name: string, hint: string | undefined, fault: string | undefined): JSX.AriaAttributes {
  const ids = [...(fault === undefined ? [] : [`${name}-fault`]), ...(hint === undefined ? [] : [`${name}-hint`])].join(" ");
  return { ...(ids !== "" && { "aria-describedby": ids }), ...(fault !== undefined && { "aria-invalid": "true" as const }) };
}

/** Renders a field with a list of values. */
export function SelectField({ name, label, value, hint, options }: SelectFieldProps): JSX.Element {
  return (
    <div>
      <label for={name}>{label}</label>
      <select id={name} name={name} {...describedBy(name, hint, undefined)}>
        {options.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
      <FieldNotes name={name} hint={hint} fault={undefined} />
    </div>
  );
}

interface SelectFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** Renders one choice of a group. */
export function ChoiceField({ name, value, title, about, type, checked = false }: ChoiceProps): JSX.Element {
  return (
    <label class="choice">
      <input type={type} name={name} value={value} checked={checked} />
      <span>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        {about !== undefined && about !== "" && <small>{about}</small>}
      </span>
    </label>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly title: string;
  readonly about?: string | undefined;
  readonly type: "radio" | "checkbox";
  readonly checked?: boolean;
}

/** Renders the field of a filter with a list of values. The script submits the form when the value changes. */
export function FilterSelect({ name, label, value, options }: FilterSelectProps): JSX.Element {
  return (
    <div>
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} name={name} data-submits="">
        {options.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FilterSelectProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** Renders the search field of a list, named `q`, with what it searches. */
export function FilterText({ label, value, hint, children }: FilterTextProps): JSX.Element {
  return (
    <>
      <div class="grow">
        <label for="filter-q">{label}</label>
        <input
          id="filter-q"
          name="q"
          type="search"
          value={value}
          maxLength={200}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          aria-describedby="filter-hint"
        />
      </div>
      {children}
      <p class="hint" id="filter-hint">
        {hint}
      </p>
    </>
  );
}

interface FilterTextProps {
  readonly label: string;
  readonly value: string;
  /** The fields that the search matches. */
  readonly hint: string;
  /** The other fields and the buttons of the filter. */
  readonly children: ComponentChildren;
}

/** Renders the button of a filter and, if a filter is set, the link that clears all. */
export function FilterButtons({ isFiltered, clear }: { readonly isFiltered: boolean; readonly clear: string }): JSX.Element {
  return (
    <div class="actions">
      <button type="submit" class="button">
        {consoleTexts.filter}
      </button>
      {isFiltered && (
        <a class="button" href={clear}>
          {consoleTexts.clearFilters}
        </a>
      )}
    </div>
  );
}

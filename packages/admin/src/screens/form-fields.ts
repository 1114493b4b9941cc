import type { SubmittedForm } from "../screen.ts";

/** A field of a form that changes members of a record. */
export interface FormField {
  /** The member in the body of the Management API. Dots separate the names of nested members. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /**
   * - `line`: one line of text. `text`: several lines. `lines`: a list, one value per line. `number`: a number.
   * - `switch`: true or false. `choice`: one of `options`.
   * - `secret`, `secret-lines`: text that is never shown. Empty means that the stored secret stays.
   */
  readonly kind: "line" | "text" | "lines" | "number" | "switch" | "choice" | "secret" | "secret-lines";
  /** The values of a `choice`, with their texts. */
  readonly options?: readonly (readonly [value: string, text: string])[];
  readonly required?: boolean;
}

/** The texts of the fields, by the names of the fields. */
export interface FieldTexts {
  readonly [name: string]: string;
}

/** Returns the members of a record as the texts of a form. */
export function textsOfRecord(fields: readonly FormField[], record: object): FieldTexts {
  return Object.fromEntries(fields.map((field) => [field.name, isSecretField(field) ? "" : toText(memberAt(record, field.name))]));
}

/** Whether the value of a field is never shown. */
export function isSecretField({ kind }: FormField): boolean {
  return kind === "secret" || kind === "secret-lines";
}

/**
 * Returns the texts of a submitted form.
 * @param prefix of the names, such as that of the hidden fields with the texts before.
 */
export function submittedTexts(fields: readonly FormField[], form: SubmittedForm, prefix = ""): FieldTexts {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const text = (form.get(prefix + name) ?? "").replaceAll("\r\n", "\n").trim();
      // A browser omits a box that is not checked.
      return [name, kind === "switch" ? String(text === "true") : text];
    }),
  );
}

/** The prefix of the hidden fields with the texts that the page has shown. */
export const beforePrefix = "before_";

/**
 * Returns the body with only the members that differ from the shown page, so that a change of another operator stays.
 */
export function changedMembers(fields: readonly FormField[], form: SubmittedForm): { readonly [name: string]: unknown } {
  const [before, after] = [submittedTexts(fields, form, beforePrefix), submittedTexts(fields, form)];
  return toBody(
    fields.filter(({ name }) => before[name] !== after[name]),
    after,
  );
}

/** Returns the body of a new record: every member whose field is not empty. */
export function filledMembers(fields: readonly FormField[], form: SubmittedForm): { readonly [name: string]: unknown } {
  const texts = submittedTexts(fields, form);
  return toBody(
    fields.filter(({ name, required }) => required === true || texts[name] !== ""),
    texts,
  );
}

function toBody(fields: readonly FormField[], texts: FieldTexts): { readonly [name: string]: unknown } {
  const body: Members = new Map();
  for (const field of fields) setMember(body, field.name.split("."), toValue(field, texts[field.name] ?? ""));
  return toObject(body);
}

function toValue({ kind }: FormField, text: string): unknown {
  switch (kind) {
    case "switch":
      return text === "true";
    case "number":
      // The Management API says what is wrong with other text.
      return /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) : text;
    case "lines":
      return linesOf(text);
    case "line":
    case "text":
    case "choice":
    case "secret":
    case "secret-lines":
      return text;
  }
}

/** Returns the lines of a text that are not blank, without spaces around them. */
export function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Nested members. A map, so that no name has a special meaning. */
type Members = Map<string, unknown>;

function setMember(members: Members, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    members.set(name, value);
    return;
  }
  const nested: unknown = members.get(name);
  const inner: Members = nested instanceof Map ? nested : new Map();
  members.set(name, inner);
  setMember(inner, rest, value);
}

function toObject(members: Members): { readonly [name: string]: unknown } {
  return Object.fromEntries([...members].map(([name, value]) => [name, value instanceof Map ? toObject(value) : value]));
}

function memberAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  }
  return value;
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string").join("\n");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

import {
  defaultTextLength,
  validValueOf,
  readMetadataChange,
  type MetadataChange,
  type MetadataValue,
} from "../../../identity/users/own-metadata.ts";
import type { Translate } from "../../../locales/translate.ts";
import type { FieldLabel, MetadataField } from "../../../model/tenant/metadata-fields.ts";
import { metadataFields } from "../../../tenants/account-sections.ts";
import type { AccountForm } from "../section-form.ts";
import type { AccountVisit } from "../visit.ts";
import { checked, shownName, type MetadataInput } from "./metadata-form.tsx";

/** Returns the fields of the user's metadata, for the form. */
export function metadataInputs({ tenant, user }: AccountVisit, t: Translate): readonly MetadataInput[] {
  return metadataFields(tenant).map((field): MetadataInput => {
    const common = { id: inputId(field), label: labelText(field.label, t) };
    const value = storedText(field, user);
    if (field.type === "boolean") return { ...common, type: field.type, value: value === checked };
    if (field.type === "text") return { ...common, value, type: field.type, maximum: field.max_length ?? defaultTextLength };
    return {
      ...common,
      value,
      type: field.type,
      choices: field.choices.map(({ value: choice, label }) => ({
        value: choice,
        label: label === undefined ? choice : labelText(label, t),
      })),
    };
  });
}

/** Returns the labels and values of the fields that are set, for the overview. */
export function metadataFacts({ tenant, user }: AccountVisit, t: Translate): readonly (readonly [label: string, value: string])[] {
  return metadataFields(tenant).flatMap((field) => {
    const value = validValueOf(field, user.user_metadata);
    return value === undefined ? [] : [[labelText(field.label, t), valueText(field, value, t)] as const];
  });
}

function valueText(field: MetadataField, value: MetadataValue, t: Translate): string {
  if (typeof value === "boolean") return t.text(value ? "fieldYes" : "fieldNo");
  const label = field.type === "choice" ? field.choices.find((choice) => choice.value === value)?.label : undefined;
  return label === undefined ? value : labelText(label, t);
}

/**
 * Reads the metadata that a form changes. A field that the form did not show, or that still has the value that the form
 * showed, does not change. So a form that was opened before another change does not revert that change.
 * @throws {PosternError} `invalid_request` if a value is not valid.
 */
export function metadataChangeOf({ tenant, user }: AccountVisit, form: AccountForm): MetadataChange {
  const fields = metadataFields(tenant);
  const shown = new Set(form.text("metadata_fields").split(" "));
  const changed = fields.flatMap((field): [string, MetadataValue | null][] => {
    const id = inputId(field);
    const sent = formText(field, form.text(id));
    const isChanged = shown.has(id) && sent !== formText(field, form.text(shownName(id))) && sent !== storedText(field, user);
    return isChanged ? [[field.name, toValue(field, sent)]] : [];
  });
  return readMetadataChange(fields, Object.fromEntries(changed));
}

/** Returns the text with which a form shows the stored value of a field. An empty string if it is not set. */
function storedText(field: MetadataField, { user_metadata: stored }: AccountVisit["user"]): string {
  const value = validValueOf(field, stored);
  if (typeof value === "boolean") return value ? checked : "";
  return formText(field, value ?? "");
}

/** Returns a text in the one form in which texts of a field are compared. A browser changes the line breaks of a text. */
function formText({ type }: MetadataField, text: string): string {
  return type === "text" ? text.replaceAll(/\s+/g, " ").trim() : text.replaceAll("\r\n", "\n");
}

/** Returns the value that a form sends for a field. `null` removes the value. */
function toValue(field: MetadataField, sent: string): MetadataValue | null {
  if (field.type === "boolean") return sent === checked;
  const choice = field.type === "choice" ? field.choices.find(({ value }) => formText(field, value) === sent) : undefined;
  return choice?.value ?? (sent || null);
}

function inputId({ name }: MetadataField): string {
  return `metadata-${name}`;
}

/** Returns a label in the language of the page, otherwise in its base language, in English or in any language. */
function labelText(label: FieldLabel, { lang }: Translate): string {
  if (typeof label === "string") return label;
  const [base = ""] = lang.split("-");
  const tag = [lang, base, "en"].find((one) => Object.hasOwn(label, one));
  return (tag === undefined ? Object.values(label)[0] : label[tag]) ?? "";
}

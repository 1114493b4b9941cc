import {
  defaultTextLength,
  metadataValue,
  readMetadataChange,
  visibleMetadata,
  type MetadataChange,
  type MetadataValue,
} from "../../../identity/users/own-metadata.ts";
import type { Translate } from "../../../locales/translate.ts";
import type { FieldLabel, MetadataField } from "../../../model/tenant/metadata-fields.ts";
import { metadataFields } from "../../../tenants/account-sections.ts";
import type { AccountForm } from "../section-form.ts";
import type { AccountVisit } from "../visit.ts";
import type { MetadataInput } from "./metadata-form.tsx";

/** Returns the fields of the user's metadata, for the form. */
export function metadataInputs({ tenant, user }: AccountVisit, t: Translate): readonly MetadataInput[] {
  return metadataFields(tenant).map((field): MetadataInput => {
    const common = { id: inputId(field), label: labelText(field.label, t) };
    const value = metadataValue(field, user.user_metadata);
    if (field.type === "boolean") return { ...common, type: field.type, value: value === true };
    const text = { ...common, value: typeof value === "string" ? value : "" };
    if (field.type === "text") return { ...text, type: field.type, maximum: field.max_length ?? defaultTextLength };
    return {
      ...text,
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
    const value = metadataValue(field, user.user_metadata);
    return value === undefined ? [] : [[labelText(field.label, t), valueText(field, value, t)] as const];
  });
}

function valueText(field: MetadataField, value: MetadataValue, t: Translate): string {
  if (typeof value === "boolean") return t.text(value ? "fieldYes" : "fieldNo");
  const label = field.type === "choice" ? field.choices.find((choice) => choice.value === value)?.label : undefined;
  return label === undefined ? value : labelText(label, t);
}

/**
 * Reads the metadata that a form changes. A field that the form did not show, or that has the shown value, does not change.
 * @throws {PosternError} `invalid_request` if a value is not valid.
 */
export function metadataChangeOf({ tenant, user }: AccountVisit, form: AccountForm): MetadataChange {
  const fields = metadataFields(tenant);
  const shown = new Set(form.text("metadata_fields").split(" "));
  const current = visibleMetadata(fields, user.user_metadata);
  const sent = fields.flatMap((field): [string, MetadataValue | null][] => {
    if (!shown.has(inputId(field))) return [];
    const text = form.text(inputId(field)).replaceAll(/\s+/g, " ").trim();
    if (field.type === "boolean") {
      const value = text === "true";
      return value === (current[field.name] ?? false) ? [] : [[field.name, value]];
    }
    return text === (current[field.name] ?? "") ? [] : [[field.name, text || null]];
  });
  return readMetadataChange(fields, Object.fromEntries(sent));
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

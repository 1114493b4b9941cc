import type { ShownClient } from "../resources.ts";
import type { SubmittedForm } from "../screen.ts";
import { linesOf } from "./form-fields.ts";

/** The fields of an app that are lists, one value per line. */
export const listFields = ["callbacks", "allowed_logout_urls", "web_origins", "grant_types"] as const;

/** The name of a field that is a list. */
export type ListField = (typeof listFields)[number];

/** Returns the settings of an app as the texts of a form. */
export function settingTexts(client: ShownClient): { readonly [name: string]: string } {
  return {
    name: client.name,
    description: client.description ?? "",
    ...Object.fromEntries(listFields.map((name) => [name, (client[name] ?? []).join("\n")])),
  };
}

/** Returns the settings that differ from the shown page, so that a change of another operator stays. */
export function changedSettings(form: SubmittedForm): { readonly [name: string]: unknown } {
  const body: { [name: string]: unknown } = {};
  for (const name of ["name", "description"]) {
    const value = form.get(name)?.trim() ?? "";
    if (value !== (form.get(`before_${name}`) ?? "")) body[name] = value;
  }
  for (const name of listFields) {
    const lines = linesOf(form.get(name) ?? "");
    if (lines.join("\n") !== linesOf(form.get(`before_${name}`) ?? "").join("\n")) body[name] = lines;
  }
  return body;
}

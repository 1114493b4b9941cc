import { invalidBody } from "../../model/settings.ts";

/**
 * Validates the templates in a request body.
 * @param fields the templates, by the path of their field.
 * @throws {PosternError} `invalid_request` for the first template that is not valid Liquid or uses an unsupported tag
 * or filter. The message contains the field and the line.
 */
export async function requireTemplates(fields: { readonly [field: string]: unknown }): Promise<void> {
  const { faultIn } = await import("../../messages/liquid.ts");
  for (const [field, text] of Object.entries(fields)) {
    const fault = typeof text === "string" ? faultIn(text) : undefined;
    if (fault !== undefined) throw invalidBody(`'${field}' is not valid Liquid: ${fault}`);
  }
}

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { ApiResponse } from "../support/postern.ts";
import type { ApiOperation } from "../../packages/testing/src/isolation/document.ts";
import { apiDescriptions } from "./description.ts";

// The documents contain schemas but are no schemas themselves, so unknown keywords are allowed. Formats are
// documentation only.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const documentUrls = new Map<unknown, string>();
for (const [api, { document }] of Object.entries(apiDescriptions)) {
  const url = `https://${api}.example.test/`;
  ajv.addSchema(document, url, false, false);
  documentUrls.set(document, url);
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(url: string): ValidateFunction {
  const known = validators.get(url) ?? ajv.compile({ $ref: url });
  validators.set(url, known);
  return known;
}

/**
 * Returns the part of a response that the operation does not declare: the status, the media type, or a member of the
 * body.
 * @returns undefined if everything is declared.
 */
export function undeclaredPart(operation: ApiOperation, { status, headers, body }: ApiResponse): string | undefined {
  const types = operation.replies.get(String(status)) ?? operation.replies.get(`${String(status)[0]}XX`);
  if (types === undefined) return `status ${status}: ${JSON.stringify(body)}`;
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  // A redirect may have a page as its body.
  if (types.size === 0) return body === undefined || (status >= 300 && status < 400) ? undefined : `a body: ${JSON.stringify(body)}`;
  const pointer = types.get(type);
  if (pointer === undefined) return `media type ${type}`;
  if (type !== "application/json") return undefined;
  const validate = validatorOf(`${documentUrls.get(operation.document)}${pointer}`);
  return validate(body) ? undefined : `the body ${JSON.stringify(body)}: ${ajv.errorsText(validate.errors)}`;
}

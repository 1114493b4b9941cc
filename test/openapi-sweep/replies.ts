import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Answer } from "../support/postern.ts";
import type { Operation } from "../../packages/testing/src/isolation/document.ts";
import { descriptions } from "./description.ts";

// The documents are no schemas, but hold some: what else they hold is not to be looked at. Formats are told, not checked.
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const addresses = new Map<unknown, string>();
for (const [api, { document }] of Object.entries(descriptions)) {
  const address = `https://${api}.example.test/`;
  ajv.addSchema(document, address, false, false);
  addresses.set(document, address);
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(address: string): ValidateFunction {
  const known = validators.get(address) ?? ajv.compile({ $ref: address });
  validators.set(address, known);
  return known;
}

/** What an operation does not declare of an answer: its status, its media type, or a member of its body. Undefined where all is declared. */
export function undeclared(operation: Operation, { status, headers, body }: Answer): string | undefined {
  const types = operation.replies.get(String(status)) ?? operation.replies.get(`${String(status)[0]}XX`);
  if (types === undefined) return `answered ${status}: ${JSON.stringify(body)}`;
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  // A redirect may show a page until it is followed.
  if (types.size === 0)
    return body === undefined || (status >= 300 && status < 400) ? undefined : `answered a body: ${JSON.stringify(body)}`;
  const pointer = types.get(type);
  if (pointer === undefined) return `answered ${type}`;
  if (type !== "application/json") return undefined;
  const validate = validatorOf(`${addresses.get(operation.document)}${pointer}`);
  return validate(body) ? undefined : `answered ${JSON.stringify(body)}, in which ${ajv.errorsText(validate.errors)}`;
}

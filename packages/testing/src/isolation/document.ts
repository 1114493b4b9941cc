import type { JsonValue } from "./response.ts";

/** A JSON Schema of an OpenAPI document. */
export type Schema = JsonValue;

/** A parameter in the path, in the query or in a header. */
interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}

/** An operation of one of the documents, with its references to parameters and responses resolved. */
export interface ApiOperation {
  /** The document that contains the operation, for resolving references. */
  readonly document: JsonValue;
  /** `GET /api/v2/users/{id}`. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of the request body and its media types. */
  readonly body?: { readonly schema: Schema; readonly types: readonly string[] };
  /** The operation accepts a token that has any one of these scopes. Empty if the operation requires no scope. */
  readonly scopes: readonly string[];
  /** The names of the security schemes, for operations without scopes. */
  readonly schemes: readonly string[];
  /** By status or range (`4XX`): the media types, each with the JSON pointer of its schema in the document. */
  readonly replies: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** A parsed OpenAPI document and its operations. */
export interface Description {
  readonly document: JsonValue;
  readonly operations: readonly ApiOperation[];
}

/** Members that a body must have although the schema does not require them, by operation. */
const additionallyRequired: { readonly [title: string]: readonly string[] } = { "POST /api/v2/users": ["email"] };

/** Reads an OpenAPI document. */
export function describeDocument(document: JsonValue): Description {
  const operations = entriesOf(document["paths"]).flatMap(([path, item]) =>
    entriesOf(item).map(([method, operation]) => readOperation(document, method.toUpperCase(), path, members(operation))),
  );
  return { document, operations };
}

function readOperation(document: JsonValue, method: string, path: string, operation: JsonValue): ApiOperation {
  const title = `${method} ${path}`;
  const security = listResponseOf(operation["security"]);
  const content = entriesOf(members(operation["requestBody"])["content"]);
  const [[, first] = ["", undefined]] = content;
  return {
    document,
    title,
    method,
    path,
    parameters: listResponseOf(operation["parameters"]).map((parameter) => readParameter(follow(document, parameter).value)),
    ...(first !== undefined && {
      body: { schema: withRequired(document, title, members(members(first)["schema"])), types: content.map(([type]) => type) },
    }),
    // The first scope of each alternative is sufficient. Further scopes are required for some requests only, or in
    // addition to each first scope.
    scopes: [...new Set(security.flatMap((alternative) => listResponseOf(members(alternative)["bearer"]).slice(0, 1).map(String)))],
    schemes: security.flatMap((alternative) => Object.keys(members(alternative))),
    replies: new Map(
      entriesOf(operation["responses"]).map(([status, reply]) => {
        const { value, pointer } = follow(document, reply, ["paths", path, method.toLowerCase(), "responses", status]);
        const types = Object.keys(members(value["content"]));
        return [status, new Map(types.map((type) => [type, pointerTo([...pointer, "content", type, "schema"])]))];
      }),
    ),
  };
}

function withRequired(document: JsonValue, title: string, schema: Schema): Schema {
  const more = additionallyRequired[title];
  if (more === undefined) return schema;
  const { value } = follow(document, schema);
  return { ...value, required: [...listResponseOf(value["required"]), ...more] };
}

function readParameter({ name, in: place, required, schema }: JsonValue): Parameter {
  if (place !== "path" && place !== "query" && place !== "header") throw new Error(`a parameter in ${String(place)}`);
  return { name: String(name), in: place, required: required === true, schema: members(schema) };
}

/** Resolves a reference. Returns its target, or the given value if it is not a reference, with the JSON pointer. */
function follow(
  document: JsonValue,
  value: unknown,
  at: readonly string[] = [],
): { readonly value: JsonValue; readonly pointer: readonly string[] } {
  const { $ref } = members(value);
  if (typeof $ref !== "string") return { value: members(value), pointer: at };
  const pointer = $ref.replace("#/", "").split("/");
  return { value: pointer.reduce((found, name) => members(found[name]), document), pointer };
}

function pointerTo(names: readonly string[]): string {
  return `#/${names.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}

/** Resolves the reference of a schema. */
export function resolve(document: JsonValue, schema: Schema): Schema {
  const { value } = follow(document, schema);
  return "$ref" in value ? resolve(document, value) : value;
}

/** Returns a copy of an object, or an empty object for any other value. */
export function members(value: unknown): JsonValue {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Returns an array, or an empty array for any other value. */
export function listResponseOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(members(value));
}

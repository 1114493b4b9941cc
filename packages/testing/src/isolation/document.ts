import type { Json } from "./answer.ts";

/** A JSON Schema as the documents hold it. */
export type Schema = Json;

/** A parameter in the path, in the query or in a header. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}

/** An operation of one of the two documents, with its references to parameters and replies followed. */
export interface Operation {
  /** The document that it is from: its references lead there. */
  readonly document: Json;
  /** `GET /api/v2/users/{id}`. */
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The body by its schema, with the media types that it may have. */
  readonly body?: { readonly schema: Schema; readonly types: readonly string[] };
  /** Any one of these lets a token in. Empty where none is asked for. */
  readonly scopes: readonly string[];
  /** The names of the security schemes, for operations without scopes. */
  readonly schemes: readonly string[];
  /** By status, or range of them (`4XX`): the media types with where their schemas stand in the document, as a JSON pointer. */
  readonly replies: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** A document as it is served, with its operations. */
export interface Description {
  readonly document: Json;
  readonly operations: readonly Operation[];
}

/** Members that a body must have by rules that a schema has no words for. */
const alsoNeeded: { readonly [title: string]: readonly string[] } = { "POST /api/v2/users": ["email"] };

/** Reads an OpenAPI document. */
export function describeDocument(document: Json): Description {
  const operations = entriesOf(document["paths"]).flatMap(([path, item]) =>
    entriesOf(item).map(([method, operation]) => readOperation(document, method.toUpperCase(), path, members(operation))),
  );
  return { document, operations };
}

function readOperation(document: Json, method: string, path: string, operation: Json): Operation {
  const title = `${method} ${path}`;
  const security = listOf(operation["security"]);
  const content = entriesOf(members(operation["requestBody"])["content"]);
  const [[, first] = ["", undefined]] = content;
  return {
    document,
    title,
    method,
    path,
    parameters: listOf(operation["parameters"]).map((parameter) => readParameter(follow(document, parameter).value)),
    ...(first !== undefined && {
      body: { schema: needing(document, title, members(members(first)["schema"])), types: content.map(([type]) => type) },
    }),
    // Further scopes of an alternative are required only for some requests, or in addition to every first scope.
    scopes: [...new Set(security.flatMap((alternative) => listOf(members(alternative)["bearer"]).slice(0, 1).map(String)))],
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

function needing(document: Json, title: string, schema: Schema): Schema {
  const more = alsoNeeded[title];
  if (more === undefined) return schema;
  const { value } = follow(document, schema);
  return { ...value, required: [...listOf(value["required"]), ...more] };
}

function readParameter({ name, in: place, required, schema }: Json): Parameter {
  if (place !== "path" && place !== "query" && place !== "header") throw new Error(`a parameter in ${String(place)}`);
  return { name: String(name), in: place, required: required === true, schema: members(schema) };
}

/** What a reference refers to, or the value itself, with where it stands. */
function follow(document: Json, value: unknown, at: readonly string[] = []): { readonly value: Json; readonly pointer: readonly string[] } {
  const { $ref } = members(value);
  if (typeof $ref !== "string") return { value: members(value), pointer: at };
  const pointer = $ref.replace("#/", "").split("/");
  return { value: pointer.reduce((found, name) => members(found[name]), document), pointer };
}

function pointerTo(names: readonly string[]): string {
  return `#/${names.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}

/** A schema with its reference followed. */
export function resolve(document: Json, schema: Schema): Schema {
  const { value } = follow(document, schema);
  return "$ref" in value ? resolve(document, value) : value;
}

/** The members of an object; none where it is none. */
export function members(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** A list; empty where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(members(value));
}

import type { JsonValue } from "./response.ts";
import { listResponseOf, members, resolve, type Schema } from "./document.ts";

/** Returns the value for a member with this name, or `undefined` if the sample value from the schema is sufficient. */
export type KnownValues = (name: string) => unknown;

/** A path into a body, from the outside in: member names, and 0 for the first item of a list. */
export type BodyPlace = readonly (string | number)[];

/** Marks where {@link bodyWith} inserts the value. */
const placeholder = "@@here@@";

/**
 * Returns the smallest body that conforms to a schema.
 * @param known returns values that a schema cannot describe, such as ids of existing resources and unused names.
 */
export function sampleOf(document: JsonValue, schema: Schema, known: KnownValues, name = ""): unknown {
  const found = resolve(document, schema);
  const values = listResponseOf(found["enum"]);
  const given = known(name);
  if (given !== undefined && (values.length === 0 || values.includes(given))) return given;
  const [branch] = branchesOf(found);
  if (branch !== undefined) return sampleOf(document, branch, known, name);
  if ("const" in found) return found["const"];
  const [first] = values;
  if (first !== undefined) return first;
  const type = listResponseOf(found["type"])[0] ?? found["type"];
  if (type === "array") return Number(found["minItems"] ?? 0) > 0 ? [sampleOf(document, members(found["items"]), known)] : [];
  if (type === "string" && String(found["pattern"]).startsWith("^#")) return "#202020";
  if (type === "string" && (found["format"] === "uri" || found["format"] === "uri-template")) return "https://sample.example.test/";
  if (type === "string") return found["format"] === "email" ? "sample@example.test" : "sample".padEnd(Number(found["minLength"] ?? 0), "x");
  if (type === "integer" || type === "number") return Math.max(1, Number(found["minimum"] ?? 1));
  if (type === "boolean") return true;
  if (type === "null") return null;
  const required = listResponseOf(found["required"]).map(String);
  return Object.fromEntries(required.map((each) => [each, sampleOf(document, members(members(found["properties"])[each]), known, each)]));
}

/** Lists every place in a body that its schema describes, including the body itself. */
export function placesOf(
  document: JsonValue,
  schema: Schema,
  depth = 0,
): readonly { readonly place: BodyPlace; readonly schema: Schema }[] {
  const found = resolve(document, schema);
  const whole = { place: [], schema: found };
  if (depth > 4) return [whole];
  const below = [
    ...branchesOf(found).flatMap((branch) => placesOf(document, branch, depth + 1).filter(({ place }) => place.length > 0)),
    ...Object.entries(members(found["properties"])).flatMap(([name, property]) =>
      placesOf(document, members(property), depth + 1).map((one) => ({ ...one, place: [name, ...one.place] })),
    ),
    ...("items" in found
      ? placesOf(document, members(found["items"]), depth + 1).map((one) => ({ ...one, place: [0, ...one.place] }))
      : []),
  ];
  const seen = new Set<string>();
  return [whole, ...below].filter(({ place }) => !seen.has(place.join("\0")) && seen.add(place.join("\0")));
}

/** Whether a schema accepts free text, not only the values of an enum. */
export function acceptsText(document: JsonValue, schema: Schema): boolean {
  const found = resolve(document, schema);
  if ("enum" in found || "const" in found) return false;
  return found["type"] === "string" || branchesOf(found).some((branch) => acceptsText(document, branch));
}

/**
 * Returns a body as JSON text, with `value` (also JSON text) at the given place. The other required members have sample
 * values.
 */
export function bodyWith(document: JsonValue, schema: Schema, known: KnownValues, place: BodyPlace, value: string): string {
  return JSON.stringify(put(document, schema, known, place, "")).replace(JSON.stringify(placeholder), () => value);
}

function put(document: JsonValue, schema: Schema, known: KnownValues, place: BodyPlace, name: string): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return placeholder;
  const found = chooseBranch(document, resolve(document, schema), step);
  if (typeof step === "number") return [put(document, members(found["items"]), known, rest, "")];
  const around = members(sampleOf(document, found, known, name));
  return { ...around, [step]: put(document, members(members(found["properties"])[step]), known, rest, step) };
}

/** Returns the alternative of a union schema that has this member. */
function chooseBranch(document: JsonValue, found: Schema, step: string | number): Schema {
  const has = (schema: Schema): boolean => (typeof step === "number" ? "items" in schema : step in members(schema["properties"]));
  if (has(found)) return found;
  for (const branch of branchesOf(found)) {
    const inner = chooseBranch(document, resolve(document, branch), step);
    if (has(inner)) return inner;
  }
  return found;
}

function branchesOf(schema: Schema): readonly Schema[] {
  return [...listResponseOf(schema["anyOf"]), ...listResponseOf(schema["oneOf"])].map(members);
}

/** Lists the names of all required members of a schema, at any depth. */
export function requiredNames(document: JsonValue, schema: Schema): readonly string[] {
  const found = resolve(document, schema);
  const required = listResponseOf(found["required"]).map(String);
  const below = [
    ...branchesOf(found),
    ...required.map((name) => members(members(found["properties"])[name])),
    ...("items" in found ? [members(found["items"])] : []),
  ];
  return [...new Set([...required, ...below.flatMap((each) => requiredNames(document, each))])];
}

/** Lists the alternatives of a schema, or the schema itself if it has none. */
export function variantsOf(document: JsonValue, schema: Schema): readonly Schema[] {
  const found = resolve(document, schema);
  const branches = branchesOf(found);
  return branches.length === 0 ? [found] : branches.map((branch) => resolve(document, branch));
}

import type { Json } from "./answer.ts";
import { listOf, members, resolve, type Schema } from "./document.ts";

/** What stands at a place of a body. Undefined leaves it to the schema. */
export type Known = (name: string) => unknown;

/** A place in a body, from the outside in: member names, and 0 for the first item of a list. */
export type Place = readonly (string | number)[];

/** Where the value goes that a body is made around. */
const placeholder = "@@here@@";

/**
 * The smallest body that a schema takes.
 * @param known values by the name of their member, where a schema cannot say what is right: ids of records, names that are free.
 */
export function sampleOf(document: Json, schema: Schema, known: Known, name = ""): unknown {
  const found = resolve(document, schema);
  const words = listOf(found["enum"]);
  const given = known(name);
  if (given !== undefined && (words.length === 0 || words.includes(given))) return given;
  const [branch] = branchesOf(found);
  if (branch !== undefined) return sampleOf(document, branch, known, name);
  if ("const" in found) return found["const"];
  const [first] = words;
  if (first !== undefined) return first;
  const type = listOf(found["type"])[0] ?? found["type"];
  if (type === "array") return Number(found["minItems"] ?? 0) > 0 ? [sampleOf(document, members(found["items"]), known)] : [];
  if (type === "string" && String(found["pattern"]).startsWith("^#")) return "#202020";
  if (type === "string" && found["format"] === "uri") return "https://sample.example.test/";
  if (type === "string") return found["format"] === "email" ? "sample@example.test" : "sample".padEnd(Number(found["minLength"] ?? 0), "x");
  if (type === "integer" || type === "number") return Math.max(1, Number(found["minimum"] ?? 1));
  if (type === "boolean") return true;
  if (type === "null") return null;
  const required = listOf(found["required"]).map(String);
  return Object.fromEntries(required.map((each) => [each, sampleOf(document, members(members(found["properties"])[each]), known, each)]));
}

/** Every place of a body that its schema tells of, the body itself included. */
export function placesOf(document: Json, schema: Schema, depth = 0): readonly { readonly place: Place; readonly schema: Schema }[] {
  const found = resolve(document, schema);
  const own = { place: [], schema: found };
  if (depth > 4) return [own];
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
  return [own, ...below].filter(({ place }) => !seen.has(place.join("\0")) && seen.add(place.join("\0")));
}

/** Whether a schema takes text that it does not list. */
export function takesText(document: Json, schema: Schema): boolean {
  const found = resolve(document, schema);
  if ("enum" in found || "const" in found) return false;
  return found["type"] === "string" || branchesOf(found).some((branch) => takesText(document, branch));
}

/** A body as JSON with a value, itself JSON, at a place; around it stands what the schema needs. */
export function bodyWith(document: Json, schema: Schema, known: Known, place: Place, value: string): string {
  return JSON.stringify(put(document, schema, known, place, "")).replace(JSON.stringify(placeholder), () => value);
}

function put(document: Json, schema: Schema, known: Known, place: Place, name: string): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return placeholder;
  const found = chooseBranch(document, resolve(document, schema), step);
  if (typeof step === "number") return [put(document, members(found["items"]), known, rest, "")];
  const around = members(sampleOf(document, found, known, name));
  return { ...around, [step]: put(document, members(members(found["properties"])[step]), known, rest, step) };
}

/** The branch of a union that has this member. */
function chooseBranch(document: Json, found: Schema, step: string | number): Schema {
  const has = (schema: Schema): boolean => (typeof step === "number" ? "items" in schema : step in members(schema["properties"]));
  if (has(found)) return found;
  for (const branch of branchesOf(found)) {
    const inner = chooseBranch(document, resolve(document, branch), step);
    if (has(inner)) return inner;
  }
  return found;
}

function branchesOf(schema: Schema): readonly Schema[] {
  return [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].map(members);
}

/** The names of all members that a body of a schema must have, at any depth. */
export function neededNames(document: Json, schema: Schema): readonly string[] {
  const found = resolve(document, schema);
  const required = listOf(found["required"]).map(String);
  const below = [
    ...branchesOf(found),
    ...required.map((name) => members(members(found["properties"])[name])),
    ...("items" in found ? [members(found["items"])] : []),
  ];
  return [...new Set([...required, ...below.flatMap((each) => neededNames(document, each))])];
}

/** The alternatives of a schema; itself where it has none. */
export function variantsOf(document: Json, schema: Schema): readonly Schema[] {
  const found = resolve(document, schema);
  const branches = branchesOf(found);
  return branches.length === 0 ? [found] : branches.map((branch) => resolve(document, branch));
}

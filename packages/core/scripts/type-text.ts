import type { JsonSchema } from "../src/http/openapi-schema.ts";

const prefix = "#/components/schemas/";

/** Converts one of our JSON Schemas to a TypeScript type. @throws {Error} for a keyword that our schemas do not use. */
export function typeText(schema: JsonSchema): string {
  const { $ref, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === "string") return $ref.slice(prefix.length);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return unionText(alternatives.map((each: JsonSchema) => typeText(each)));
  // Several patterns of one string are an `allOf` beside its type.
  if (Array.isArray(allOf) && type === undefined) return allOf.map((each: JsonSchema) => `(${typeText(each)})`).join(" & ");
  if (Array.isArray(type)) return unionText(type.map((each: string) => typeText({ ...schema, type: each })));
  if ("not" in schema && type === undefined) return "never";
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly ${grouped(typeText((schema["items"] ?? {}) as JsonSchema))}[]`;
    case "object":
      return objectText(schema);
    case undefined:
      return "unknown";
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

/** Returns the members of an object type, without braces. @param without the names of members to omit. */
export function membersText(schema: JsonSchema, without: readonly string[] = []): string {
  const properties = Object.entries((schema["properties"] ?? {}) as { readonly [name: string]: JsonSchema });
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  return properties
    .filter(([name]) => !without.includes(name))
    .map(([name, member]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      const text = typeText(member);
      // JSON omits undefined members: hosts with `exactOptionalPropertyTypes` may pass them too.
      return `${commentText(noteOf(member))}readonly ${key}${required.has(name) ? `: ${text}` : `?: ${text === "never" ? "" : `${text} | `}undefined`};`;
    })
    .join("\n");
}

export function commentText(note: string | undefined): string {
  return note === undefined ? "" : `/** ${note.replaceAll("*/", "*\\/")} */\n`;
}

function noteOf(schema: JsonSchema): string | undefined {
  const { description, default: fallback } = schema;
  const notes = [
    typeof description === "string" ? description : undefined,
    fallback === undefined ? undefined : `Default: \`${JSON.stringify(fallback)}\``,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join(" ");
}

/** Joins the members of a union, without redundant ones. */
function unionText(members: readonly string[]): string {
  const all = new Set(members.flatMap((member) => (/^[\w"| -]+$/.test(member) ? member.split(" | ") : [member])));
  if (all.has("unknown")) return "unknown";
  return [...all].filter((member) => !(all.has("string") && member.startsWith('"')) && member !== "never").join(" | ");
}

function objectText(schema: JsonSchema): string {
  const { properties, additionalProperties: others } = schema;
  const members = membersText(schema);
  const open = typeof others === "object" && others !== null ? typeText(others as JsonSchema) : "unknown";
  if (properties === undefined || (members === "" && others !== false)) return `{ readonly [name: string]: ${open} }`;
  if (others === false || others === undefined) return `{\n${members}\n}`;
  // With an index signature, its type applies to every member as well.
  return `{\n${members}\n} & { readonly [name: string]: ${open} }`;
}

function grouped(text: string): string {
  return /[|&\s]/.test(text) && !text.startsWith("{") ? `(${text})` : text.includes("} & {") || text.includes("} | ") ? `(${text})` : text;
}

import * as z from "zod";
import { factMark } from "../model/settings.ts";

/** A JSON Schema (draft 2020-12), in the form that OpenAPI 3.1 uses. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The schemas of one document. */
export interface Schemas {
  /** The schemas with an id: `components.schemas`. */
  readonly components: { readonly [id: string]: JsonSchema };
  /** Returns the JSON Schema of a schema: a reference if the schema has an id, otherwise the whole schema. */
  of(schema: z.ZodType): JsonSchema;
  /** Returns the properties of an object schema, and the names of the required ones. */
  propertiesOf(schema: z.ZodType): { readonly properties: { readonly [name: string]: JsonSchema }; readonly required: readonly string[] };
}

const prefix = "#/components/schemas/";

/**
 * Converts schemas to JSON Schema in one pass. Each id becomes one component, however often the schema is used.
 *
 * The JSON Schema describes the input of each schema (zod's `input`). It is also exact for responses, because what a
 * handler returns is sent without being parsed.
 *
 * @throws if two different schemas have the same id.
 */
export function describeSchemas(schemas: readonly z.ZodType[]): Schemas {
  const names = new Map([...new Set(schemas)].map((schema, index) => [schema, `s${index}`] as const));
  const whole = z.object(Object.fromEntries([...names].map(([schema, name]) => [name, shownAs(schema)])));
  const described = z.toJSONSchema(whole, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      dropNoise(jsonSchema);
      addDiscriminator(zodSchema, jsonSchema);
    },
  });
  const { properties = {}, $defs: components = {} }: Described = JSON.parse(JSON.stringify(described), pointToComponents);

  const of = (schema: z.ZodType): JsonSchema => {
    const shown = properties[names.get(schema) ?? ""];
    if (shown === undefined) throw new Error("the schema was not passed to describeSchemas");
    return shown;
  };
  return {
    components,
    of,
    propertiesOf: (schema) => {
      const { $ref } = of(schema);
      const object: Described = typeof $ref === "string" ? (components[$ref.slice(prefix.length)] ?? {}) : of(schema);
      return { properties: object.properties ?? {}, required: object.required ?? [] };
    },
  };
}

/** The keywords of an object's JSON Schema that this module reads. */
interface Described {
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly $defs?: { readonly [id: string]: JsonSchema };
}

/**
 * Returns the schema to describe: the schema in `meta({ shownAs })` if there is one, otherwise the schema itself.
 * `shownAs` can be more precise than the schema that validates.
 */
function shownAs(schema: z.ZodType): z.ZodType {
  const other = schema.meta()?.["shownAs"];
  return other instanceof z.ZodType ? other : schema;
}

/** Replaces zod's path to definitions with the one that OpenAPI uses. */
function pointToComponents(key: string, value: unknown): unknown {
  return key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", prefix) : value;
}

/**
 * Adds the discriminator to a union whose members are all components. Code generators use it (OpenAPI 3.1 section
 * 4.8.25).
 */
function addDiscriminator(schema: z.core.$ZodTypes, shown: z.core.JSONSchema.BaseSchema): void {
  const { def } = schema._zod;
  if (!isDiscriminated(def)) return;
  const mapping = def.options.flatMap((option) => {
    const id = z.globalRegistry.get(option)?.id;
    const values = option._zod.propValues?.[def.discriminator] ?? [];
    return id === undefined ? [] : [...values].map((value) => [String(value), prefix + id] as const);
  });
  if (mapping.length >= def.options.length) {
    shown["discriminator"] = { propertyName: def.discriminator, mapping: Object.fromEntries(mapping) };
  }
}

function isDiscriminated(def: z.core.$ZodTypeDef): def is z.core.$ZodDiscriminatedUnionDef {
  return def.type === "union" && "discriminator" in def;
}

/** Formats for which zod adds a long, redundant pattern. */
const spelledOut = new Set(["email", "date-time", "date", "time", "uuid"]);

function dropNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (spelledOut.has(schema.format ?? "")) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema["shownAs"];
  delete schema[factMark];
}

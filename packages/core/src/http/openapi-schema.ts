import * as z from "zod";
import { factMark } from "../model/settings.ts";

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The schemas of one document. */
export interface Schemas {
  /** Those that have an id: `components.schemas`. */
  readonly components: { readonly [id: string]: JsonSchema };
  /** A schema as the document shows it: a reference where it has an id, else in full. */
  of(schema: z.ZodType): JsonSchema;
  /** The properties of an object schema, with the names of those that must be there. */
  propertiesOf(schema: z.ZodType): { readonly properties: { readonly [name: string]: JsonSchema }; readonly required: readonly string[] };
}

const prefix = "#/components/schemas/";

/**
 * Turns schemas into JSON Schema, all in one go: each id becomes one component, however often and however deep it is used.
 *
 * Every schema is shown as what it takes (zod's `input`). For replies that is exact as well, because they are sent as handlers return them,
 * which is what their schemas take, and not as a schema would parse them.
 *
 * @throws where two different schemas have the same id.
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
    if (shown === undefined) throw new Error("a schema is shown that was not described");
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

/** The keywords of an object's JSON Schema that are read here. */
interface Described {
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly $defs?: { readonly [id: string]: JsonSchema };
}

/** What stands for a schema in documents: itself, or the schema of its `meta({ shownAs })`, which may say more than validation asks at that place. */
function shownAs(schema: z.ZodType): z.ZodType {
  const other = schema.meta()?.["shownAs"];
  return other instanceof z.ZodType ? other : schema;
}

/** Where zod puts definitions, and where OpenAPI does. */
function pointToComponents(key: string, value: unknown): unknown {
  return key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", prefix) : value;
}

/** Tells generators of code how the members of a union are told apart, where each is a component (OpenAPI 3.1 section 4.8.25). */
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

/** Formats that zod spells out as a long pattern too. */
const spelledOut = new Set(["email", "date-time", "date", "time", "uuid"]);

function dropNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (spelledOut.has(schema.format ?? "")) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema["shownAs"];
  delete schema[factMark];
}

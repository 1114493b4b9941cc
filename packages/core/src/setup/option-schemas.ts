import * as z from "zod";

/** The documentation of an option for error messages. */
export interface OptionDocs {
  /** The values that the option accepts. Completes "pass …". */
  readonly expected: string;
  /** The documentation page in the repository that explains the option. */
  readonly page: string;
  /** Whether an error must not contain the value. */
  readonly isSecret?: boolean;
}

/**
 * Maps each option of an interface to its schema. An option without a schema, or with a schema of another type, is a
 * compile-time error.
 */
export type OptionShape<Options> = {
  readonly [Name in keyof Options]-?: IsOptional<Options, Name> extends true
    ? z.ZodOptional<z.ZodType<Parsed<Required<Options>[Name]>>>
    : z.ZodType<Parsed<Options[Name]>>;
};

type IsOptional<Options, Name extends keyof Options> = Record<never, never> extends Pick<Options, Name> ? true : false;

/** A type as a schema returns it: an optional member may also be `undefined`, which JavaScript can pass. */
export type Parsed<Value> = Value extends (...parameters: never[]) => unknown
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly Parsed<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: IsOptional<Value, Name> extends true ? Value[Name] | undefined : Value[Name] }
      : Value;

const registry = z.registry<OptionDocs>();

/** Attaches the documentation for error messages to a schema. Each option needs its own schema. */
export function documented<Schema extends z.ZodType>(schema: Schema, docs: OptionDocs): Schema {
  if (registry.has(schema)) throw new TypeError(`a schema that expects ${docs.expected} already belongs to another option`);
  registry.add(schema, docs);
  return schema;
}

/** Returns the documentation of a schema's option. */
export function docsOf(schema: z.core.$ZodType): OptionDocs | undefined {
  return registry.get(schema) ?? (isWrapper(schema) ? docsOf(schema.unwrap()) : undefined);
}

/** Returns the schema of a group of options: the schema itself, without `optional`, or the object in a union. */
export function groupOf(schema: z.core.$ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodUnion) return schema.options.find((option) => option instanceof z.ZodObject);
  return isWrapper(schema) ? groupOf(schema.unwrap()) : undefined;
}

/** Returns the schema of a member of an object, or of an element of a list. */
export function memberOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  const shape = groupOf(schema)?.shape ?? {};
  if (typeof key === "string" && Object.hasOwn(shape, key)) return shape[key];
  if (schema instanceof z.ZodArray && typeof key === "number") return schema.element;
  return isWrapper(schema) ? memberOf(schema.unwrap(), key) : undefined;
}

function isWrapper(schema: z.core.$ZodType): schema is z.ZodOptional | z.ZodReadonly {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly;
}

/** Creates the schema of a group of options. It rejects unknown names. */
export function group<Members extends z.core.$ZodLooseShape>(
  page: string,
  members: Members,
  { isSecret = false }: Pick<OptionDocs, "isSecret"> = {},
): z.ZodObject<Members, z.core.$strict> {
  return documented(z.strictObject(members), { expected: `an object { ${Object.keys(members).join(", ")} }`, page, isSecret });
}

/** Creates the schema of non-empty text. */
export function textOption(expected: string, page: string): z.ZodString {
  return documented(z.string().min(1), { expected, page });
}

/** Creates the schema of a list of texts. Every text must satisfy `accepts`. */
export function listOption(
  expected: string,
  page: string,
  accepts: (text: string) => boolean,
): z.ZodCustom<readonly string[], readonly string[]> {
  return documented(
    z.custom<readonly string[]>((value) => Array.isArray(value) && value.every((text) => typeof text === "string" && accepts(text))),
    { expected, page },
  );
}

/** Creates the schema of a boolean. */
export function flagOption(page: string): z.ZodBoolean {
  return documented(z.boolean(), { expected: "true or false", page });
}

/**
 * Creates the schema of a number that satisfies `accepts`. zod's own number rejects `Infinity`, which means "no limit".
 */
export function number(expected: string, page: string, accepts: (value: number) => boolean): z.ZodCustom<number, number> {
  return documented(
    z.custom<number>((value) => typeof value === "number" && accepts(value)),
    { expected, page },
  );
}

/** Creates the schema of a function. The function's parameters and result are not checked. */
export function functionOption<Callback>(page: string): z.ZodCustom<Callback, Callback> {
  return documented(z.custom<Callback>(isFunction), { expected: "a function", page });
}

/** Creates the schema of an object with a method. */
export function adapter<Adapter>(page: string, method: keyof Adapter & string): z.ZodCustom<Adapter, Adapter> {
  return documented(
    z.custom<Adapter>((value) => hasMethods(value, [method])),
    { expected: `an object with a method ${method}()`, page },
  );
}

/** Rejects a value for which `use` throws, with the message of the error. */
export function usableBy<Value>(use: (value: Value) => unknown): z.core.CheckFn<Value> {
  return ({ value, issues }) => {
    // zod also runs this check on a value of the right type that an earlier check rejected.
    if (issues.length > 0) return;
    try {
      use(value);
    } catch (cause) {
      issues.push(unusable(value, cause instanceof Error ? cause.message : String(cause), { cause }));
    }
  };
}

/** Creates the issue for a value of the right type that cannot be used for another reason. */
export function unusable(
  input: unknown,
  reason: string,
  { path, cause }: { readonly path?: readonly PropertyKey[]; readonly cause?: unknown } = {},
): z.core.$ZodRawIssue {
  return { code: "custom", input, ...(path && { path: [...path] }), params: { reason, cause } };
}

/** Whether a value is an object with these methods. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  return isPlainObject(value) && names.every((name) => isFunction(value[name]));
}

export function isFunction(value: unknown): value is (...parameters: never[]) => unknown {
  return typeof value === "function";
}

export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}

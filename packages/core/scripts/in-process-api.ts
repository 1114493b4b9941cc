import { execFileSync } from "node:child_process";
import * as z from "zod";
import { furtherScopesText } from "../src/http/openapi-operation.ts";
import { describeSchemas, type JsonSchema, type Schemas } from "../src/http/openapi-schema.ts";
import type { Route } from "../src/http/route.ts";
import { managementRoutes } from "../src/management/routes.ts";
import { tenantOperations } from "../src/management/tenants/operations.ts";
import { tenants } from "../src/management/tenants/tenants.ts";
import { storedOnlyText } from "../src/model/settings.ts";
import { settingsIn } from "../src/model/supported-settings.ts";
import { operationOf, parametersOf, successOf, toCamelCase } from "./operations.ts";
import { commentText, membersText, typeText } from "./type-text.ts";

/** Where the in-process API's types stand. */
export const inProcessApiFile = "packages/core/src/operations/in-process/api.ts";

interface Operation {
  readonly route: Route;
  /** `users`, `roles`, `add`. */
  readonly name: readonly string[];
}

/** Operations by their names. */
interface Group {
  readonly [word: string]: Group | Operation;
}

/** What of a query makes no sense in process, or has an overload of its own. */
const ofHttp = ["fields", "include_fields", "include_totals", "search_engine", "from", "take"];

/** The types of the in-process API and its table of operations, from the routes, formatted. @throws {Error} where two operations have one name. */
export function inProcessApi(): string {
  return execFileSync("oxfmt", [`--stdin-filepath=${inProcessApiFile}`], { input: unformatted(), encoding: "utf8", maxBuffer: 2 ** 24 });
}

function unformatted(): string {
  const operations = [...managementRoutes, ...tenants, ...tenantOperations].flatMap((route) => {
    const name = operationOf(route);
    return name === undefined ? [] : [{ route, name }];
  });
  const schemas = describeSchemas(operations.flatMap(({ route }) => shownSchemas(route)));
  const root = grouped(operations);
  return `// Made by \`npx pnpm@12 reference\` from the routes: do not edit.

/** Method and path of each operation of the in-process API, by its name. */
export const operations = ${tableText(root)} as const;

/** The Management API of one tenant, in process: made by \`postern.tenant(id)\`. Each method rejects with a {@link PosternError}. */
export interface TenantApi {
${Object.entries(root)
  .map(([word, member]) => memberText(word, member, ["Tenant"], schemas))
  .join("\n")}
}

${groupTexts(root, ["Tenant"], schemas).join("\n\n")}

${Object.entries(schemas.components)
  .map(([name, schema]) => componentText(name, schema))
  .join("\n\n")}
`;
}

function shownSchemas({ definition }: Route): readonly z.ZodType[] {
  return [definition.query, definition.body, successOf(definition)].filter((schema) => schema instanceof z.ZodType);
}

function grouped(operations: readonly Operation[]): Group {
  const root: { [word: string]: Group | Operation } = {};
  for (const operation of operations) {
    let at = root;
    for (const word of operation.name.slice(0, -1)) {
      const next = (at[word] ??= {});
      if (isOperation(next)) throw new Error(`${operation.name.join(".")} stands below an operation`);
      at = next as { [word: string]: Group | Operation };
    }
    const last = operation.name.at(-1) ?? "";
    if (at[last] !== undefined) throw new Error(`two operations are called ${operation.name.join(".")}`);
    at[last] = operation;
  }
  return root;
}

function isOperation(member: Group | Operation): member is Operation {
  return "route" in member && Array.isArray(member["name"]);
}

function tableText(group: Group): string {
  const members = Object.entries(group).map(([word, member]) => {
    if (!isOperation(member)) return `${word}: ${tableText(member)}`;
    const { method, path } = member.route.definition;
    return `${word}: ${JSON.stringify(`${method} ${path}`)}`;
  });
  return `{\n${members.join(",\n")}\n}`;
}

const typeName = (words: readonly string[]): string => `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Api`;

function groupTexts(group: Group, words: readonly string[], schemas: Schemas): readonly string[] {
  return Object.entries(group).flatMap(([word, member]) => {
    if (isOperation(member)) return [];
    const own = words[0] === "Tenant" && words.length === 1 ? [word] : [...words, word];
    const members = Object.entries(member).map(([name, each]) => memberText(name, each, own, schemas));
    const about = `\`postern.tenant(id).${own.join(".")}\``;
    return [`${commentText(about)}export interface ${typeName(own)} {\n${members.join("\n")}\n}`, ...groupTexts(member, own, schemas)];
  });
}

function memberText(word: string, member: Group | Operation, words: readonly string[], schemas: Schemas): string {
  if (!isOperation(member)) {
    const own = words[0] === "Tenant" && words.length === 1 ? [word] : [...words, word];
    return `readonly ${word}: ${typeName(own)};`;
  }
  const { definition } = member.route;
  const scopes = typeof definition.scopes === "string" ? [] : definition.scopes;
  const notes = [
    `${definition.summary}.`,
    definition.description,
    `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(" or ")}.`,
    ...(definition.furtherScopes ?? []).map(furtherScopesText),
  ];
  const comment = commentText(notes.filter((note) => note !== undefined).join(" "));
  const parameters = parametersOf(definition.path).map((name) => `${toCamelCase(name)}: string`);
  const success = successOf(definition);
  const reply = success === null ? {} : schemas.of(success);
  if (definition.body !== undefined) {
    const mark = definition.body.safeParse(undefined).success ? "?" : "";
    parameters.push(`body${mark}: ${typeText(schemas.of(definition.body))}`);
  }
  const replyText = (schema: JsonSchema): string => (success === null ? "void" : typeText(schema));
  if (definition.query === undefined) return `${comment}${word}(${parameters.join(", ")}): Promise<${replyText(reply)}>;`;

  const { properties, required } = schemas.propertiesOf(definition.query);
  const query = { properties, required };
  const members = membersText(query, ofHttp);
  const own = members === "" ? [] : [`{\n${members}\n}`];
  const signature = (more: readonly string[], text: string): string => {
    const parts = [...own, ...more];
    const isOptional = required.length === 0 && more.length === 0;
    const all = parts.length === 0 ? parameters : [...parameters, `query${isOptional ? "?" : ""}: ${parts.join(" & ")}`];
    return `${comment}${word}(${all.join(", ")}): Promise<${text}>;`;
  };
  const { anyOf } = reply;
  const shapes = Array.isArray(anyOf) ? (anyOf as readonly JsonSchema[]) : [];
  if (shapes[0]?.["type"] !== "array") return signature([], replyText(reply));
  const has = (shape: JsonSchema, name: string): boolean => name in ((shape["properties"] ?? {}) as object);
  const totals = shapes.find((shape) => has(shape, "total"));
  const walk = shapes.find((shape) => has(shape, "next"));
  return [
    ...(totals !== undefined && "include_totals" in properties ? [signature(["{ readonly include_totals: true }"], typeText(totals))] : []),
    ...(walk !== undefined && "take" in properties
      ? [signature(["{ readonly take: number; readonly from?: string | undefined }"], typeText(walk))]
      : []),
    signature([], typeText(shapes[0] ?? {})),
  ].join("\n");
}

function componentText(name: string, schema: JsonSchema): string {
  const { description, properties, additionalProperties: others, anyOf } = schema;
  const notes = [typeof description === "string" ? description : undefined, storedOnlyNote(schema)].filter((note) => note !== undefined);
  const comment = commentText(notes.length === 0 ? undefined : notes.join(". "));
  const isPlain = properties !== undefined && anyOf === undefined && (others === false || others === undefined);
  if (isPlain) return `${comment}export interface ${name} {\n${membersText(schema)}\n}`;
  return `${comment}export type ${name} = ${typeText(schema)};`;
}

/** Names the stored-only members of a type, once for the whole type. */
function storedOnlyNote(schema: JsonSchema): string | undefined {
  const paths = settingsIn(schema, () => undefined).flatMap(({ path, isStoredOnly }) => (isStoredOnly ? [path] : []));
  if (paths.length === 0) return undefined;
  return paths.includes("") ? `${storedOnlyText}.` : `${storedOnlyText}: ${paths.map((path) => `\`${path}\``).join(", ")}.`;
}

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

/** Query parameters that make no sense in process, or that {@link List.paging} declares. */
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
import type { ListReply, Only, WithCheckpoints, WithTotals } from "./lists.ts";

/** Method and path of each operation of the in-process API, by its name. */
export const operations = ${tableText(root)} as const;

export type { ListCheckpoint, ListReply, ListTotals, Only, WithCheckpoints, WithTotals } from "./lists.ts";

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
    const queries = Object.entries(member).flatMap(([name, each]) => (isOperation(each) ? queryTexts(name, each, own, schemas) : []));
    const text = `${commentText(about)}export interface ${typeName(own)} {\n${members.join("\n")}\n}`;
    return [text, ...queries, ...groupTexts(member, own, schemas)];
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
  const members = membersText({ properties, required }, ofHttp);
  const own = members === "" ? "" : `{\n${members}\n}`;
  const list = listOf(reply, properties);
  if (list === undefined) {
    const query = own === "" ? [] : [`query${required.length === 0 ? "?" : ""}: ${own}`];
    return `${comment}${word}(${[...parameters, ...query].join(", ")}): Promise<${replyText(reply)}>;`;
  }
  const isOptional = required.length === 0;
  const queryType = queryName(words, word);
  const all = [...parameters, `query${isOptional ? "?" : ""}: Only<Query, ${queryType}>`].join(", ");
  const typeParameter = `Query extends ${queryType}${isOptional ? " = Record<never, never>" : ""}`;
  return `${comment}${word}<${typeParameter}>(${all}): Promise<ListReply<Query, "${list.key}", ${list.item}>>;`;
}

/** The names of the types of list queries: `UsersListQuery`. */
function queryName(words: readonly string[], word: string): string {
  return `${typeName([...words, word]).replace(/Api$/, "")}Query`;
}

/** The type of the query of a list method. Other methods have none: their queries have one shape. */
function queryTexts(word: string, { route: { definition } }: Operation, words: readonly string[], schemas: Schemas): readonly string[] {
  const success = successOf(definition);
  if (definition.query === undefined || success === null) return [];
  const { properties, required } = schemas.propertiesOf(definition.query);
  const list = listOf(schemas.of(success), properties);
  if (list === undefined) return [];
  const bases = list.paging.length === 0 ? "" : ` extends ${list.paging.join(", ")}`;
  const about = `The query of \`postern.tenant(id).${[...words, word].join(".")}\``;
  return [`${commentText(about)}export interface ${queryName(words, word)}${bases} {\n${membersText({ properties, required }, ofHttp)}\n}`];
}

/** A list that can be returned as a plain array and in other shapes. */
interface List {
  /** The member that holds the items in the other shapes. */
  readonly key: string;
  readonly item: string;
  /** The types of the query parameters that select the other shapes. */
  readonly paging: readonly string[];
}

/** Returns the list in a reply, or undefined if the reply has one shape. @throws {Error} for shapes that `ListReply` does not describe. */
function listOf({ anyOf }: JsonSchema, query: { readonly [name: string]: unknown }): List | undefined {
  const [array, ...others] = Array.isArray(anyOf) ? (anyOf as readonly JsonSchema[]) : [];
  if (array?.["type"] !== "array") return undefined;
  const names = others.map((shape) => Object.keys((shape["properties"] ?? {}) as object));
  const withTotal = names.some((all) => all.includes("total")) && "include_totals" in query;
  const withNext = names.some((all) => all.includes("next")) && "take" in query;
  const keys = new Set(names.flat().filter((name) => !["start", "limit", "length", "total", "next"].includes(name)));
  const [key] = keys;
  if (key === undefined || keys.size !== 1) throw new Error(`not one list: ${[...keys].join(", ")}`);
  const paging = [...(withTotal ? ["WithTotals"] : []), ...(withNext ? ["WithCheckpoints"] : [])];
  return { key, item: typeText((array["items"] ?? {}) as JsonSchema), paging };
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

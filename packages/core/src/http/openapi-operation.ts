import * as z from "zod";
import { statusOfCode } from "../errors.ts";
import type { ApiName } from "./api.ts";
import type { BodyKind } from "./body.ts";
import { responsesWithOptionalFields } from "./field-selection.ts";
import type { JsonSchema, Schemas } from "./openapi-schema.ts";
import { errorSchema } from "./error-body.ts";
import { declaredErrorText, standardErrors } from "./openapi-errors.ts";
import type { FurtherScopes, Route, RouteDefinition } from "./route.ts";

/** An operation object in OpenAPI 3.1. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly { readonly [scheme: string]: readonly string[] }[];
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: { readonly [status: string]: ResponseObject };
}

/** A response object in OpenAPI, or a reference to one. */
interface ResponseObject {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: object;
}

/** Converts a route's path to OpenAPI syntax, such as `/users/{id}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

/** Returns the OpenAPI tag for a path, such as `users` or `oauth`. */
export function tagOf(path: string): string {
  const [resource = ""] = path
    .replace(/^\/api\/v2(?=\/)/, "")
    .split("/")
    .slice(1);
  return tagNames[resource] ?? resource;
}

const tagNames: { readonly [segment: string]: string } = {
  ".well-known": "discovery",
  co: "cross-origin",
  dbconnections: "database",
  oidc: "logout",
  u: "login",
  v2: "logout",
};

/** Returns every schema that the OpenAPI operation of a route contains. */
export function schemasOf({ definition }: Route): readonly z.ZodType[] {
  const bodies = Object.values(responsesWithOptionalFields(definition)).map((declared) =>
    typeof declared === "object" && declared !== null && "error" in declared ? declared.schema : declared,
  );
  return [definition.params, definition.query, definition.documentedBody ?? definition.body, ...bodies].filter(
    (schema) => schema instanceof z.ZodType,
  );
}

/** Returns the OpenAPI operation of a route of an API. */
export function describeOperation({ definition }: Route, schemas: Schemas, api: ApiName): OpenApiOperation {
  const { summary, path, scopes, furtherScopes = [], documentedBody: body = definition.body } = definition;
  const description = [
    definition.description,
    scopes === "client" ? clientAuthentication : undefined,
    furtherScopes.length === 0 ? undefined : furtherScopes.map(furtherScopesText).join("\n"),
  ].filter((text) => text !== undefined);
  const security = securityOf(definition);
  const parameters = [
    ...pathParameters(definition, schemas),
    ...queryParameters(definition, schemas),
    ...(api === "management" && typeof scopes !== "string" ? [tenantId] : []),
  ];
  return {
    operationId: operationIdOf(definition, api),
    summary,
    ...(description.length > 0 && { description: description.join("\n\n") }),
    tags: [tagOf(path)],
    ...(security.length > 0 && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: requestBody(body, definition, schemas) }),
    responses: responsesOf(definition, schemas, api),
  };
}

/**
 * Derives the operation id only from the method and the path (`getUsersById`), so that the method names in generated
 * clients do not change. The ids of the control plane's `/tenants` routes differ from those of `/api/v2/tenants`.
 */
function operationIdOf({ method, path }: RouteDefinition, api: ApiName): string {
  const place = path.startsWith("/api/v2/") ? path.slice("/api/v2".length) : api === "management" ? `/control-plane${path}` : path;
  // Underscores outside of parameters are preserved, because two paths may differ only in an underscore.
  const words = place
    .split("/")
    .flatMap((segment) => (segment.startsWith(":") ? ["by", ...segment.slice(1).split("_")] : segment.split(/[^A-Za-z0-9_]+/)))
    .filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const clientAuthentication =
  "The client authenticates with HTTP Basic, or in the body: with `client_secret`, or with `client_assertion`. " +
  "A public client sends only its `client_id`.";

/**
 * Returns one security requirement for each alternative. OpenAPI cannot express credentials in a body, so an empty
 * requirement stands for them.
 */
function securityOf({ scopes: access, furtherScopes = [] }: RouteDefinition): readonly { readonly [scheme: string]: readonly string[] }[] {
  if (access === "public") return [];
  if (access === "client") return [{ clientBasic: [] }, {}];
  if (access === "bearer") return [{ bearer: [] }];
  if (access === "mfa") return [{ mfaToken: [] }];
  const always = furtherScopes.flatMap(({ scopes, when }) => (when === undefined ? scopesOf(scopes) : []));
  const conditional = furtherScopes.flatMap(({ scopes, when }) => (when === undefined ? [] : scopesOf(scopes)));
  const further = [...new Set(conditional)].filter((scope) => !access.includes(scope));
  return access.flatMap((scope) => [[], ...further.map((one) => [one])].map((more) => ({ bearer: [scope, ...always, ...more] })));
}

function scopesOf(scopes: FurtherScopes["scopes"]): readonly string[] {
  return scopes === "granted" ? [] : scopes;
}

/** Describes the additional scopes of a route, for the OpenAPI document. */
export function furtherScopesText({ scopes, when }: FurtherScopes): string {
  if (scopes === "granted") return "Also requires each scope of the Management API that the request grants.";
  return `Also requires ${scopes.map((scope) => `\`${scope}\``).join(" or ")}${when === undefined ? "" : ` ${when}`}.`;
}

const tenantId = { $ref: "#/components/parameters/TenantId" };

function pathParameters({ path, params }: RouteDefinition, schemas: Schemas): readonly object[] {
  const limited = params === undefined ? {} : schemas.propertiesOf(params).properties;
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: limited[name] ?? { type: "string" },
  }));
}

function queryParameters({ query }: RouteDefinition, schemas: Schemas): readonly object[] {
  if (query === undefined) return [];
  const { properties, required } = schemas.propertiesOf(query);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description !== undefined && { description }),
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}

const json = "application/json";
const form = "application/x-www-form-urlencoded";

const mediaTypes: { readonly [kind in BodyKind]: readonly string[] } = {
  json: [json],
  "json-or-form": [json, form],
  form: [form],
  multipart: ["multipart/form-data", json],
};

function requestBody(body: z.ZodType, { bodyKind = "json" }: RouteDefinition, schemas: Schemas): object {
  const schema = schemas.of(body);
  return {
    required: !body.safeParse(undefined).success,
    content: Object.fromEntries(mediaTypes[bodyKind].map((type) => [type, { schema }])),
  };
}

function responsesOf(definition: RouteDefinition, schemas: Schemas, api: ApiName): OpenApiOperation["responses"] {
  const page = definition.errorFormat === "page";
  const standard = page ? [] : Object.entries(standardErrors).filter(([, error]) => error.appliesTo(definition));
  const schema = schemas.of(errorSchema(api));
  const responses: { [status: string]: ResponseObject } = {};

  for (const [status, declared] of Object.entries(responsesWithOptionalFields(definition))) {
    if (declared === null) responses[status] = { description: successText(status) };
    else if (declared instanceof z.ZodType) responses[status] = jsonResponse(textOf(status, declared), schemas.of(declared));
    else if (typeof declared === "object" && "text" in declared) {
      responses[status] = { description: declared.text, content: { "text/plain": { schema: { type: "string" } } } };
    } else if (page && typeof declared === "object") responses[status] = pageResponse(status, declared.error);
    else {
      const sameStatus = standard.map(([, error]) => error).filter(({ code }) => String(statusOfCode[code]) === status);
      // The response of the standard error already describes this error, in more detail.
      if (typeof declared === "object" && sameStatus.length === 1 && sameStatus[0]?.code === declared.error) continue;
      const own = typeof declared === "object" && declared.schema !== undefined ? schemas.of(declared.schema) : schema;
      responses[status] = jsonResponse(declaredErrorText(declared, sameStatus), own);
    }
  }
  if (page) responses["4XX"] = pageResponse("4XX", "A page that explains the error");
  for (const [name, { code }] of standard) responses[statusOfCode[code]] ??= { $ref: responseReference(name) };
  return responses;
}

/** Returns the reference to a standard error. */
export function responseReference(name: string): string {
  return `#/components/responses/${name}`;
}

/** Returns the description of a response. A schema for an error with additional members has its own description. */
function textOf(status: string, declared: z.ZodType): string {
  return Number(status) < 400 ? successText(status) : (declared.meta()?.description ?? successText(status));
}

function successText(status: string): string {
  return successes[status] ?? "Success";
}

const successes: { readonly [status: string]: string } = { 200: "OK", 201: "Created", 202: "Accepted", 204: "No content" };

/** Returns the response object of a JSON response. */
export function jsonResponse(description: string, schema: JsonSchema): ResponseObject {
  return { description, content: { [json]: { schema } } };
}

function pageResponse(status: string, description: string): ResponseObject {
  return status.startsWith("3") ? { description } : { description, content: { "text/html": { schema: { type: "string" } } } };
}

import { readFileSync } from "node:fs";
import { validate } from "@readme/openapi-parser";
import { beforeAll, describe, expect, test } from "vitest";
import { authRoutes } from "../packages/core/src/server/auth-routes.ts";
import { templateOf } from "../packages/core/src/http/openapi-operation.ts";
import { tenantOperationRoutes } from "../packages/core/src/management/tenants/operations.ts";
import { tenantRoutes } from "../packages/core/src/management/tenants/tenants.ts";
import { managementRoutes } from "../packages/core/src/management/routes.ts";
import { managementScopes } from "../packages/core/src/model/scopes.ts";
import { findApiOfPath } from "../packages/core/src/server/api.ts";
import { apis } from "../packages/core/src/server/apis.ts";
import { storedOnlyText } from "../packages/core/src/model/settings.ts";
import { myAccountRoutes } from "../packages/core/src/my-account/routes.ts";
import { inProcessApi, inProcessApiFile } from "../packages/core/scripts/in-process-api.ts";
import { contributing, contributingFile } from "../scripts/contributing.ts";
import { llms, llmsFile } from "../scripts/llms.ts";
import { referencePages } from "../scripts/reference.ts";
import { jsonBody, type JsonBody } from "./support/api.ts";
import { createTestPostern, issuer, managementAudience, type TestPostern } from "./support/postern.ts";

const documentPaths = ["/api/v2/spec", "/.well-known/openapi.json", "/me/v1/openapi.json"] as const;

let service: TestPostern;
const documents = new Map<string, JsonBody>();

beforeAll(async () => {
  service = await createTestPostern();
  for (const path of documentPaths) documents.set(path, jsonBody(await service.call("GET", path)));
});

function documentAt(path: string): JsonBody {
  const document = documents.get(path);
  if (document === undefined) throw new Error(`no document at ${path}`);
  return document;
}

test("describes every parameter of /authorize", () => {
  const { get } = members(members(documentAt("/.well-known/openapi.json")["paths"])["/authorize"]) as {
    readonly get: { readonly parameters: JsonBody[] };
  };
  const descriptions = new Map(get.parameters.map(({ name, description }) => [name, description]));
  const names =
    "client_id redirect_uri response_type response_mode scope state nonce code_challenge code_challenge_method dpop_jkt audience resource prompt " +
    "max_age id_token_hint login_hint screen_hint ui_locales acr_values display connection connection_scope access_type organization invitation login_ticket claims request";
  expect([...descriptions.keys()]).toEqual(names.split(" "));
  for (const [name, description] of descriptions) expect(description, String(name)).toMatch(/\w/);
});

test("describes the pages that send an authorization response to the client", () => {
  for (const [path, method] of [
    ["/authorize", "get"],
    ["/authorize", "post"],
    ["/continue", "get"],
    ["/continue", "post"],
  ] as const)
    expect(documentAt("/.well-known/openapi.json")["paths"]).toHaveProperty([path, method, "responses", "200"], {
      description: expect.stringMatching(/form_post.*web_message/),
      content: { "text/html": { schema: { type: "string" } } },
    });
});

describe.each(documentPaths)("the OpenAPI document at %s", (path) => {
  test("is valid OpenAPI 3.1", async () => {
    const document = documentAt(path);
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\.\d$/), info: { license: { identifier: "MIT" } } });
    // The validator resolves references in place, so it gets a copy.
    expect(await validate(parsed(JSON.stringify(document)))).toMatchObject({ valid: true, warnings: [] });
  });

  test("has no broken reference, and no unused response or parameter", () => {
    const document = documentAt(path);
    const references = new Set(valuesOf(document, "$ref").map(String));
    expect(references.size).toBeGreaterThan(0);
    for (const reference of references) expect(document).toHaveProperty(reference.replace("#/", "").split("/"));
    const { components } = document;
    for (const kind of ["responses", "parameters"]) {
      const names = Object.keys(members(members(components)[kind])).map((name) => `#/components/${kind}/${name}`);
      expect(names.filter((name) => !references.has(name))).toEqual([]);
    }
  });

  test("is public, allows any origin, and supports conditional requests", async () => {
    const headers = { origin: "https://elsewhere.example" };
    const first = await service.call("GET", path, { headers });
    expect(first.headers.get("access-control-allow-origin")).toBe("*");
    const again = await service.call("GET", path, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect(again).toMatchObject({ status: 304, body: undefined });
  });

  test("gives each operation a unique id, a summary and a declared tag", () => {
    const document = documentAt(path);
    const operations = operationsOf(document);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = valuesOf(document["tags"], "name");
    for (const operation of operations) {
      expect(operation).toMatchObject({ operationId: expect.stringMatching(/^[a-z]+[A-Z]\w*$/), summary: expect.stringMatching(/\w/) });
      expect(tags).toEqual(expect.arrayContaining([operation["tags"]].flat()));
    }
  });
});

test.each([
  ["management", managementRoutes],
  ["auth", authRoutes],
  ["my-account", myAccountRoutes],
] as const)("every route of the %s API has a path of that API", (api, routes) => {
  expect(routes.filter(({ definition }) => findApiOfPath(apis, definition.path).document !== api)).toEqual([]);
});

test("describes every route in exactly one document", () => {
  const described = documentPaths.flatMap((path) =>
    Object.entries(members(documentAt(path)["paths"])).flatMap(([path, item]) =>
      Object.keys(members(item)).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  const routed = [...authRoutes, ...myAccountRoutes, ...managementRoutes, ...tenantRoutes, ...tenantOperationRoutes].map(
    ({ definition: { method, path } }) => `${method} ${templateOf(path)}`,
  );
  expect(described.toSorted()).toEqual([...routed, ...documentPaths.map((path) => `GET ${path}`)].toSorted());
});

test("every operation of the Management API declares existing scopes", () => {
  const document = documentAt("/api/v2/spec");
  const known = managementScopes.map(({ value }) => value);
  const bearer = members(members(members(document["components"])["securitySchemes"])["bearer"]);
  expect(bearer).toMatchObject({
    description: expect.stringContaining(managementAudience),
    flows: { clientCredentials: { tokenUrl: `${issuer}oauth/token` } },
  });
  expect(Object.keys(members(members(members(bearer["flows"])["clientCredentials"])["scopes"]))).toEqual(known);
  const named = operationsOf(document)
    .filter(({ operationId }) => operationId !== "getSpec")
    .map(({ security }) => valuesOf(security, "bearer").flat());
  for (const scopes of named) {
    expect(scopes).not.toEqual([]);
    expect(known).toEqual(expect.arrayContaining(scopes));
  }
});

test("the token endpoint shows each grant with its own parameters", () => {
  const { schemas } = members(documentAt("/.well-known/openapi.json")["components"]);
  const variants = [members(members(schemas)["TokenRequest"])["oneOf"]].flat();
  expect(variants).toContainEqual(
    expect.objectContaining({
      properties: expect.objectContaining({
        grant_type: { type: "string", const: "authorization_code" },
        code_verifier: expect.anything(),
      }),
      required: ["grant_type", "code"],
    }),
  );
});

test("the token endpoint lists the grant types that discovery lists, and omits their aliases", async () => {
  const { schemas } = members(documentAt("/.well-known/openapi.json")["components"]);
  const variants = [members(members(schemas)["TokenRequest"])["oneOf"]].flat();
  const listed = variants.map((variant) => members(members(members(variant)["properties"])["grant_type"])["const"]);
  const { grant_types_supported } = jsonBody(await service.call("GET", "/.well-known/openid-configuration"));
  expect([...listed, "implicit"]).toEqual(grant_types_supported);
  expect(listed).toContain("http://auth0.com/oauth/grant-type/passwordless/otp");
  expect(JSON.stringify(documentAt("/.well-known/openapi.json"))).not.toContain("http://vendor/");
});

test("an error response has the members that the document declares", async () => {
  const { paths, components } = documentAt("/api/v2/spec");
  expect(paths).toHaveProperty(["/api/v2/users", "get", "responses", "401", "$ref"], "#/components/responses/InvalidToken");
  const { ManagementError: schema } = members(members(components)["schemas"]);
  const rejected = await service.call("GET", "/api/v2/users");
  expect(rejected.status).toBe(401);
  expect(Object.keys(jsonBody(rejected, 401)).toSorted()).toEqual(Object.keys(members(members(schema)["properties"])).toSorted());
});

test.each(referencePages())("docs/reference/$file is up to date: else run `npx pnpm@12 reference`", ({ file, text }) => {
  expect(readFileSync(new URL(`../docs/reference/${file}`, import.meta.url), "utf8")).toBe(text);
});

test("CONTRIBUTING.md lists the folders of lint/floors.ts: else run `npx pnpm@12 reference`", () => {
  expect(readFileSync(new URL(`../${contributingFile}`, import.meta.url), "utf8")).toBe(contributing());
});

test("llms.txt matches the README and the index of the guides: else run `npx pnpm@12 reference`", () => {
  expect(readFileSync(new URL(`../${llmsFile}`, import.meta.url), "utf8")).toBe(llms());
});

test("the types of the in-process API list stored-only settings once per type", () => {
  const lines = readFileSync(new URL(`../${inProcessApiFile}`, import.meta.url), "utf8").split("\n");
  const notes = lines.filter((line) => line.includes(storedOnlyText));
  expect(notes.some((line) => line.includes("`refresh_token.policies`"))).toBe(true);
  expect(notes.filter((line) => !line.startsWith("/** "))).toEqual([]);
});

test("the types of the in-process API match the routes: else run `npx pnpm@12 reference`", () => {
  expect(readFileSync(new URL(`../${inProcessApiFile}`, import.meta.url), "utf8")).toBe(inProcessApi());
});

function parsed(text: string): Parameters<typeof validate>[0] {
  return JSON.parse(text);
}

function members(value: unknown): JsonBody {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function operationsOf({ paths }: JsonBody): readonly JsonBody[] {
  return Object.values(members(paths)).flatMap((item) => Object.values(members(item)).map(members));
}

/** Returns every value of a member of this name, at any depth. */
function valuesOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (key === name ? [member] : valuesOf(member, name)));
}

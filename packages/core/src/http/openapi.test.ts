import { describe, expect, test } from "vitest";
import * as z from "zod";
import { queryBooleanSchema, queryInteger } from "../model/fields.ts";
import { fact, storedOnly } from "../model/settings.ts";
import { documentRoute } from "./document-route.ts";
import { describeApi } from "./openapi.ts";
import { defineRoutes, type Contexts, type Route, type RouteDefinition } from "./route.ts";
import { createUrls } from "./urls.ts";

const urls = createUrls("https://id.example.test/base/");
const route = defineRoutes<Contexts>();
const thingSchema = z.strictObject({ id: z.int(), mail: z.email(), made: z.iso.datetime() }).meta({ id: "Thing" });

/** Returns a route of which only the definition is used. */
function declare(definition: Partial<RouteDefinition>): Route {
  const whole: RouteDefinition = {
    method: "GET",
    path: "/api/v2/things",
    summary: "",
    scopes: ["read:users"],
    responses: {},
    ...definition,
  };
  return route(whole)(async () => undefined);
}

function management(...routes: readonly Route[]): unknown {
  return JSON.parse(JSON.stringify(describeApi("management", routes, urls)));
}

function auth(...routes: readonly Route[]): unknown {
  return JSON.parse(JSON.stringify(describeApi("auth", routes, urls)));
}

const operation = (path: string, method: string, expected: object) => ({ paths: { [path]: { [method]: expected } } });

describe("operations", () => {
  test("are named by method and path, and tagged by resource", () => {
    const document = management(
      declare({ method: "PATCH", path: "/api/v2/client-grants/:id", summary: "Change" }),
      declare({ path: "/api/v2/tenants" }),
      declare({ path: "/tenants/:id" }),
    );
    const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
    expect(document).toMatchObject({
      paths: {
        "/api/v2/client-grants/{id}": {
          patch: { operationId: "patchClientGrantsById", summary: "Change", tags: ["client-grants"], parameters: [id, {}] },
        },
        "/api/v2/tenants": { get: { operationId: "getTenants" } },
        "/tenants/{id}": { get: { operationId: "getControlPlaneTenantsById" } },
      },
      tags: [{ name: "client-grants" }, { name: "tenants" }],
    });
  });

  test("mark only stored-only settings in schemas", () => {
    const body = z.strictObject({ id: fact(z.string()), old: storedOnly(z.boolean(), "A note").exactOptional() });
    expect(management(declare({ method: "POST", body }))).toHaveProperty(
      ["paths", "/api/v2/things", "post", "requestBody", "content", "application/json", "schema", "properties"],
      { id: { type: "string" }, old: { type: "boolean", description: "A note", "x-stored-only": true } },
    );
  });

  test("are rejected if two have the same id", () => {
    expect(() => management(declare({ path: "/api/v2/a-b" }), declare({ path: "/api/v2/a/b" }))).toThrow("'getAB'");
  });

  test("list each scope as a separate alternative", () => {
    const document = management(declare({ scopes: ["read:users", "read:clients"] }));
    expect(document).toMatchObject(
      operation("/api/v2/things", "get", { security: [{ bearer: ["read:users"] }, { bearer: ["read:clients"] }] }),
    );
  });

  test("accept client credentials in the header or the body, and list no security if they are public", () => {
    const document = auth(declare({ path: "/oauth/a", scopes: "client" }), declare({ path: "/b", scopes: "public" }));
    expect(document).toMatchObject({
      paths: { "/oauth/a": { get: { security: [{ clientBasic: [] }, {}], description: expect.stringContaining("client_assertion") } } },
    });
    expect(document).not.toHaveProperty(["paths", "/b", "get", "security"]);
  });
});

describe("input", () => {
  test("query parameters have the type that they are parsed to", () => {
    const query = z.strictObject({
      page: queryInteger(0, 9).exactOptional(),
      all: queryBooleanSchema.exactOptional(),
      state: z.string().meta({ description: "Opaque" }),
    });
    expect(management(declare({ query }))).toMatchObject(
      operation("/api/v2/things", "get", {
        parameters: [
          { name: "page", in: "query", schema: { type: "integer", minimum: 0, maximum: 9 } },
          { name: "all", in: "query", schema: { type: "boolean" } },
          { name: "state", in: "query", required: true, description: "Opaque", schema: { type: "string" } },
          { $ref: "#/components/parameters/TenantId" },
        ],
      }),
    );
  });

  test("includes the query parameters of a schema with an id", () => {
    const query = z.looseObject({ client_id: z.string() }).meta({ id: "Parameters" });
    expect(auth(declare({ path: "/authorize", scopes: "public", query }))).toMatchObject(
      operation("/authorize", "get", { parameters: [{ name: "client_id", required: true }] }),
    );
  });

  test.each([
    ["json", ["application/json"]],
    ["json-or-form", ["application/json", "application/x-www-form-urlencoded"]],
    ["form", ["application/x-www-form-urlencoded"]],
  ] as const)("describes a body of kind '%s' with its media types", (bodyKind, types) => {
    const content = Object.fromEntries(types.map((type) => [type, { schema: { $ref: "#/components/schemas/Thing" } }]));
    const document = auth(declare({ method: "POST", path: "/x", scopes: "public", body: thingSchema, bodyKind }));
    expect(document).toHaveProperty(["paths", "/x", "post", "requestBody"], { required: true, content });
    expect(document).toMatchObject(
      operation("/x", "post", { responses: { 413: { $ref: "#/components/responses/PayloadTooLarge" }, 415: {}, 400: {} } }),
    );
  });

  test("describes a body by the more precise schema in 'shownAs'", () => {
    const shownAs = z.strictObject({ more: z.string() }).meta({ id: "Shown" });
    const body = z.looseObject({}).meta({ shownAs });
    const document = management(declare({ method: "POST", body }));
    expect(document).toHaveProperty(
      ["paths", "/api/v2/things", "post", "requestBody", "content", "application/json", "schema", "$ref"],
      "#/components/schemas/Shown",
    );
    expect(document).toHaveProperty("components.schemas.Shown.properties.more", { type: "string" });
  });
});

describe("responses", () => {
  test("refer to components at every depth", () => {
    const document = management(declare({ responses: { 200: z.array(thingSchema.nullable()), 201: thingSchema, 204: null } }));
    const reference = { $ref: "#/components/schemas/Thing" };
    expect(document).toMatchObject(
      operation("/api/v2/things", "get", {
        responses: {
          200: { content: { "application/json": { schema: { type: "array", items: { anyOf: [reference, { type: "null" }] } } } } },
          201: { content: { "application/json": { schema: reference } } },
          204: { description: "No content" },
        },
      }),
    );
    expect(document).toHaveProperty("components.schemas.Thing", {
      type: "object",
      properties: { id: { type: "integer" }, mail: { type: "string", format: "email" }, made: { type: "string", format: "date-time" } },
      required: ["id", "mail", "made"],
      additionalProperties: false,
    });
  });

  const pageSchema = z.strictObject({ things: z.array(thingSchema), next: z.string().exactOptional() });

  test.each([
    ["the caller can select fields", { query: z.strictObject({ fields: z.string().exactOptional() }) }],
    ["not every scope may read all fields", { visibleFields: () => ["id"] }],
  ] as const)("have optional resource fields and required envelope fields if %s", (_when, how) => {
    const document = management(
      declare({ ...how, responses: { 200: thingSchema, 201: z.union([z.array(thingSchema), pageSchema]) } }),
      declare({ method: "POST", responses: { 200: thingSchema } }),
    );
    const partial = { $ref: "#/components/schemas/PartialThing" };
    const envelope = { type: "object", properties: { things: { type: "array", items: partial } }, required: ["things"] };
    expect(document).toMatchObject({
      paths: {
        "/api/v2/things": {
          get: {
            responses: {
              200: { content: { "application/json": { schema: partial } } },
              201: { content: { "application/json": { schema: { anyOf: [{ type: "array", items: partial }, envelope] } } } },
            },
          },
          post: { responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } } },
        },
      },
      components: { schemas: { Thing: { required: ["id", "mail", "made"] }, PartialThing: { additionalProperties: false } } },
    });
    expect(document).not.toHaveProperty("components.schemas.PartialThing.required");
  });

  test("have the error format of their API", () => {
    const responses = { 404: "inexistent_user", 409: { error: "conflict" }, 403: { error: "forbidden" } } as const;
    const document = management(declare({ responses }));
    const content = { "application/json": { schema: { $ref: "#/components/schemas/ManagementError" } } };
    expect(document).toMatchObject(
      operation("/api/v2/things", "get", {
        responses: {
          401: { $ref: "#/components/responses/InvalidToken" },
          403: { description: "`forbidden`; `insufficient_scope`: the access token has none of the required scopes", content },
          404: { description: "`inexistent_user` in `errorCode`", content },
          409: { description: "`conflict`", content },
          429: { $ref: "#/components/responses/TooManyRequests" },
        },
      }),
    );
    expect(document).toMatchObject({
      components: {
        responses: { InvalidToken: { content } },
        schemas: { ManagementError: { required: ["error", "error_description", "statusCode", "message", "errorCode"] } },
      },
    });
    expect(auth(declare({ path: "/x", scopes: "bearer" }))).toMatchObject({
      components: { schemas: { Error: { required: ["error", "error_description"] } } },
    });
  });

  test("are HTML on routes for pages", () => {
    const responses = { 200: { error: "the page" }, 303: { error: "to the client" }, 400: { error: "a page" } };
    const document = auth(declare({ path: "/u/login", scopes: "public", errorFormat: "page", body: z.looseObject({}), responses }));
    const content = { "text/html": { schema: { type: "string" } } };
    expect(document).toHaveProperty(["paths", "/u/login", "get", "responses"], {
      200: { description: "the page", content },
      303: { description: "to the client" },
      400: { description: "a page", content },
      "4XX": { description: "A page that explains the error", content },
    });
  });

  test("rejects two schemas with the same id", () => {
    const other = z.strictObject({ id: z.string() }).meta({ id: "Thing" });
    expect(() => management(declare({ responses: { 200: thingSchema } }), declare({ method: "POST", body: z.array(other) }))).toThrow(
      "Thing",
    );
  });
});

test("each document describes the routes of its API at the issuer, including its own route", async () => {
  const spec = documentRoute("management", [declare({}), declare({ path: "/operations" })], urls);
  const openapi = documentRoute("auth", [declare({ path: "/tenants-of-mine", scopes: "public" })], urls);
  const [management, auth] = await Promise.all(
    [spec, openapi].map(async (each) => {
      const answer = await each.handle({}, {});
      expect(answer).toHaveProperty("etag");
      expect(await each.handle({}, {})).toBe(answer);
      const { text } = z.object({ text: z.string() }).parse(answer);
      return z.looseObject({ paths: z.looseObject({}) }).parse(JSON.parse(text));
    }),
  );
  expect(management).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: { title: "Postern Management API", license: { name: "MIT" } },
    servers: [{ url: "https://id.example.test/base" }],
  });
  expect(Object.keys(management?.paths ?? {})).toEqual(["/api/v2/things", "/operations", "/api/v2/spec"]);
  expect(Object.keys(auth?.paths ?? {})).toEqual(["/tenants-of-mine", "/.well-known/openapi.json"]);
});

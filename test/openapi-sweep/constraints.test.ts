import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { RouteDefinition } from "../../packages/core/src/http/route.ts";
import { templateOf } from "../../packages/core/src/http/openapi-operation.ts";
import { managementRoutes } from "../../packages/core/src/management/routes.ts";
import { tenantRoutes } from "../../packages/core/src/management/tenants/tenants.ts";
import { bodyWith, placesOf, sampleOf, variantsOf } from "../../packages/testing/src/isolation/bodies.ts";
import { resolve, type Schema } from "../../packages/testing/src/isolation/document.ts";
import { expectError, managerOf, type Manager } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";
import { apiDescriptions } from "./description.ts";

const { document, operations } = apiDescriptions.management;
const documentUrl = "https://management.example.test/";

const ajv = new Ajv2020({
  strict: false,
  logger: false,
  formats: {
    "date-time": /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    email: /^[^@\s/:]+@[^@\s.]+(\.[^@\s.]+)+$/,
    uri: (text: string) => URL.canParse(text),
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  },
});
ajv.addSchema(document, documentUrl, false, false);

/** Compiles a schema whose references are relative to the document. */
function compile(schema: Schema): ValidateFunction {
  const text = JSON.stringify(schema, (key, value: unknown) => (key === "$ref" ? `${documentUrl}${String(value)}` : value));
  return ajv.compile(JSON.parse(text));
}

const definitions = new Map(
  [...managementRoutes, ...tenantRoutes].map(({ definition }) => [`${definition.method} ${templateOf(definition.path)}`, definition]),
);
const described = operations.flatMap((operation) => {
  const definition = definitions.get(operation.title);
  return definition === undefined ? [] : [{ ...operation, definition }];
});

/** Whether the server accepts a value, and whether the document allows it. */
interface Verdict {
  readonly server: boolean;
  readonly document: boolean;
}

async function verdict(
  schema: NonNullable<RouteDefinition["body"]>,
  input: unknown,
  validate: ValidateFunction,
  value = input,
): Promise<Verdict> {
  return { server: (await schema.safeParseAsync(input)).success, document: validate(value) };
}

const texts = [
  "",
  " ",
  "x",
  "X y",
  "x".repeat(6000),
  "https://host.example.test/path",
  "http://host.example.test/",
  "https://user:secret@host.example.test/",
  "app.example:/path",
  "user@host.example.test",
  "#202020",
  "2030-01-01T00:00:00.000Z",
  "true",
  "0",
  "1",
  "101",
  "-1",
  "0.5",
];

/** Values for any place in a body. */
const values: readonly unknown[] = [
  ...texts,
  true,
  false,
  null,
  0,
  1,
  -1,
  0.5,
  1e9,
  {},
  { unknown: true },
  Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`key${index}`, "value"])),
  [],
  ["x"],
  ["x", "x"],
  Array.from({ length: 300 }, () => "x"),
  [{}],
  [null],
];

const template = "{%- auth0:head -%}{%- auth0:widget -%}";

/** Values for members, or for the whole body, that a sample from the schema does not satisfy. */
const knownValues: { readonly [title: string]: { readonly [name: string]: unknown } } = {
  "POST /api/v2/users/{id}/authentication-methods": { phone_number: "+14155550123" },
  "POST /api/v2/device-credentials": { device_id: "0f" },
  "PUT /api/v2/branding/templates/universal-login": { "": template, template },
  "POST /api/v2/custom-domains": { domain: "login.example.test" },
};

/**
 * Members that the server rejects for a reason that the document cannot contain: a URL in the settings of the host's sink
 * may name a user if the setting is secret.
 */
const notDescribed = new Set([
  "POST /api/v2/log-streams sink",
  "PATCH /api/v2/log-streams/{id} sink",
  // The smallest mask depends on the character set.
  "PATCH /api/v2/tenants/settings device_flow",
  "POST /tenants device_flow",
  "PATCH /tenants/{id} device_flow",
]);

test.each(described.filter(({ body }) => body !== undefined))(
  "the server accepts the bodies of $title that the document allows, and no others",
  async ({ title, body, definition }) => {
    if (body === undefined || definition.body === undefined) throw new Error("the route has no body");
    const validate = compile(body.schema);
    const known = (name: string): unknown => knownValues[title]?.[name];
    for (const variant of variantsOf(document, body.schema)) {
      const sample = sampleOf(document, variant, known);
      expect.soft(await verdict(definition.body, sample, validate), JSON.stringify(sample)).toEqual({ server: true, document: true });
      for (const { place } of placesOf(document, variant)) {
        for (const value of values) {
          const sent: unknown = JSON.parse(bodyWith(document, variant, known, place, JSON.stringify(value)));
          const found = await verdict(definition.body, sent, validate);
          if (!found.server && notDescribed.has(`${title} ${place[0]}`)) continue;
          expect.soft(found.document, `${place.join(".")} of ${JSON.stringify(sent).slice(0, 500)}`).toBe(found.server);
        }
      }
    }
  },
);

/** Parses the text of a parameter as the type that the document declares. */
function parameterValue({ type }: Schema, text: string): unknown {
  if (type === "integer" && /^\d+$/.test(text)) return Number(text);
  return type === "boolean" && /^(true|false)$/.test(text) ? text === "true" : text;
}

test.each(described.filter(({ parameters }) => parameters.some(({ in: place }) => place !== "header")))(
  "the server accepts the parameters of $title that the document allows, and no others",
  async ({ parameters, definition }) => {
    const required = parameters.filter((parameter) => parameter.required).map(({ name }) => [name, "user@host.example.test"] as const);
    for (const { name, in: place, schema } of parameters) {
      const declared = place === "query" ? definition.query : place === "path" ? definition.params : undefined;
      if (declared === undefined) continue;
      const others = place === "query" ? required : [];
      const validate = compile(schema);
      const words = [resolve(document, schema)["enum"] ?? []].flat().map(String);
      for (const text of [...texts, ...words]) {
        const input: { readonly [name: string]: string } = { ...Object.fromEntries(others), [name]: text };
        const issues = (await declared.safeParseAsync(input)).error?.issues ?? [];
        const accepted = !issues.some(({ path }) => path[0] === name);
        expect.soft(validate(parameterValue(schema, text)), `${name}=${text.slice(0, 100)}`).toBe(accepted);
      }
    }
  },
);

describe("the document contains", () => {
  const { schemas } = JSON.parse(JSON.stringify(document["components"]));
  const parameterOf = (title: string, name: string): Schema => {
    const parameters = operations.find((operation) => operation.title === title)?.parameters ?? [];
    return resolve(document, parameters.find((parameter) => parameter.name === name)?.schema ?? {});
  };

  test("the minimum number of members", () => {
    expect(schemas).toMatchObject({
      UpdateTenantSettings: { properties: { default_token_quota: { anyOf: [{ minProperties: 1 }, { type: "null" }] } } },
      UpdateBranding: {
        properties: { colors: { anyOf: [{ minProperties: 1 }, {}] }, font: { anyOf: [{ minProperties: 1 }, {}] } },
      },
    });
  });

  test("the words that a path parameter may be", () => {
    expect(parameterOf("GET /api/v2/prompts/{prompt}/custom-text/{language}", "prompt")).toMatchObject({
      enum: expect.arrayContaining(["login", "mfa-otp"]),
    });
    expect(parameterOf("PUT /api/v2/prompts/{prompt}/partials", "prompt")).toMatchObject({ enum: expect.not.arrayContaining(["mfa-otp"]) });
    expect(parameterOf("DELETE /api/v2/users/{id}/multifactor/{provider}", "provider")).toEqual({
      type: "string",
      enum: ["duo", "google-authenticator"],
    });
    expect(parameterOf("PUT /api/v2/guardian/factors/{name}", "name")).toMatchObject({ enum: expect.arrayContaining(["otp"]) });
  });

  test("both ways to name the user of a password ticket", () => {
    expect(schemas).toMatchObject({
      CreatePasswordTicket: { anyOf: [{ required: ["user_id"] }, { required: ["email", "connection_id"] }] },
    });
  });

  test("the format of URLs, as a template if a URL may contain a placeholder", () => {
    expect(schemas).toMatchObject({
      UpdateBranding: { properties: { logo_url: { anyOf: [{ format: "uri", pattern: expect.any(String) }, { type: "null" }] } } },
      CreatePasswordTicket: { anyOf: [{ properties: { result_url: { format: "uri" } } }, {}] },
      CreateClient: {
        properties: {
          callbacks: { items: { format: "uri-template", pattern: expect.any(String) } },
          logo_uri: { anyOf: [{ const: "" }, { format: "uri-template" }] },
        },
      },
    });
  });
});

describe("a search", () => {
  let manage: Manager;
  beforeAll(async () => {
    manage = await managerOf(await createTestPostern());
  });

  const lists = operations.filter(({ method, path, parameters }) => {
    return method === "GET" && !path.includes("{") && !parameters.some(({ required }) => required);
  });

  test.each(lists)("with 'q' is possible in $title exactly if the document lists the parameter", async ({ path, parameters }) => {
    const rejected = parameters.some(({ name }) => name === "q") ? "query: 'q' at character 1" : "query: unknown field 'q'";
    expectError(await manage("GET", `${path}?q=(`), 400, "invalid_request", rejected);
  });

  test("is possible in some lists and not in others", () => {
    expect(new Set(lists.map(({ parameters }) => parameters.some(({ name }) => name === "q")))).toEqual(new Set([true, false]));
  });
});

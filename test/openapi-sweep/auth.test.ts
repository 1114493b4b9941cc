import type { CreateClient } from "@postern/core/api";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { clientSecret, issuer } from "../support/postern.ts";
import { bodyWith, placesOf, sampleOf, variantsOf, type KnownValues } from "../../packages/testing/src/isolation/bodies.ts";
import type { ApiOperation } from "../../packages/testing/src/isolation/document.ts";
import { apiDescriptions } from "./description.ts";
import { hostileHeaders, hostileJson, hostileQueries, hostileTexts } from "./hostile.ts";
import { openSweptService, type SweptRequest, type SweptService } from "./service.ts";

const { document, operations } = apiDescriptions.auth;
const form = "application/x-www-form-urlencoded";
const user = { email: "user@example.test", password: "correct horse battery" };

let service: SweptService;
let known: KnownValues;
let accessToken: string;

beforeEach(async () => {
  service = await openSweptService();
  const callback = "https://app.example.test/callback";
  const settings: CreateClient = {
    name: "App",
    app_type: "regular_web",
    callbacks: [callback],
    grant_types: ["authorization_code", "refresh_token", "password", "client_credentials"],
  };
  await service.postern.seed({
    tenantId: "main",
    clients: [{ clientId: "app", secret: clientSecret, settings }],
    user,
  });
  const credentials = { client_id: "app", client_secret: clientSecret };
  const body = {
    ...credentials,
    grant_type: "password",
    username: user.email,
    password: user.password,
    scope: "openid offline_access",
  };
  const tokens = jsonBody(await service.call("POST", "/oauth/token", { body }));
  accessToken = stringMember(tokens, "access_token");
  const values: { readonly [name: string]: unknown } = {
    ...credentials,
    username: user.email,
    password: user.password,
    refresh_token: tokens["refresh_token"],
    subject_token: accessToken,
    token: tokens["refresh_token"],
    realm: "Username-Password-Authentication",
    redirect_uri: callback,
    email: user.email,
  };
  known = (name) => values[name];
});

/** Returns the headers that authenticate a request to an operation. */
function authenticationHeaders({ schemes }: ApiOperation): { readonly [name: string]: string } {
  if (schemes.includes("bearer")) return { authorization: `Bearer ${accessToken}` };
  return schemes.includes("clientBasic") ? { authorization: `Basic ${btoa(`app:${clientSecret}`)}` } : {};
}

describe.each(operations)("$title", (operation) => {
  const { path, parameters, body, schemes } = operation;
  const headers = (): { readonly [name: string]: string } => authenticationHeaders(operation);

  test("responds to hostile values as its OpenAPI document declares", { timeout: 60_000 }, async () => {
    const send = (sent: Partial<SweptRequest>) => service.send(operation, { path, ...sent, headers: { ...headers(), ...sent.headers } });
    for (const name of [...parameters.map((parameter) => parameter.name), "state", "nonsense"])
      for (const [, query] of hostileQueries(name)) await send({ query: `?${query}` });
    for (const [, value] of hostileHeaders)
      for (const name of ["authorization", "tenant-id", "cookie", "origin", "prefer", "if-none-match"])
        await send({ headers: { [name]: value } });
    if (body === undefined) return;
    for (const variant of variantsOf(document, body.schema)) {
      for (const { place } of placesOf(document, variant)) {
        if (body.types.includes("application/json"))
          for (const [, value] of hostileJson) await send({ body: bodyWith(document, variant, known, place, value) });
        const [name] = place;
        if (!body.types.includes(form) || typeof name !== "string") continue;
        const validBody = Object.entries(Object(sampleOf(document, variant, known))).map(([key, value]) => [key, String(value)] as const);
        for (const value of hostileTexts) {
          const fields = new URLSearchParams(Object.fromEntries([...validBody, [name, value]]));
          await send({ body: fields.toString(), headers: { "content-type": form } });
        }
      }
    }
  });

  if (schemes.includes("bearer")) {
    test("rejects a missing token and a token that is not a user's with 401", async () => {
      expectError(await service.send(operation, { path }), 401, "invalid_token");
      for (const token of ["x", await service.tokenOf("main")])
        expectError(await service.send(operation, { path, headers: { authorization: `Bearer ${token}` } }), 401, "invalid_token");
      expect(await service.send(operation, { path, headers: headers() })).toMatchObject({ status: 200 });
    });
  }

  if (schemes.includes("clientBasic")) {
    test("rejects wrong client credentials and a client of another tenant with 401", async () => {
      const [variant = {}] = body === undefined ? [] : variantsOf(document, body.schema);
      const validBody = Object(sampleOf(document, variant, known));
      for (const wrong of [
        { client_id: "app", client_secret: "wrong" },
        { client_id: "unknown", client_secret: clientSecret },
        { client_id: "third-manager", client_secret: clientSecret },
      ]) {
        const fields = { ...validBody, ...wrong };
        const sent = body?.types.includes("application/json")
          ? { path, headers: { "tenant-id": "main" }, body: JSON.stringify(fields) }
          : { path, headers: { "tenant-id": "main", "content-type": form }, body: new URLSearchParams(fields).toString() };
        expectError(await service.send(operation, sent), 401, "invalid_client");
      }
    });
  }
});

test("the token endpoint responds to every documented grant type as its OpenAPI document declares", async () => {
  const operation = operations.find(({ title }) => title === "POST /oauth/token");
  if (operation?.body === undefined) throw new Error("the document has no token endpoint");
  const statuses = new Map<string, number>();
  for (const variant of variantsOf(document, operation.body.schema)) {
    const client = { client_id: "app", client_secret: clientSecret };
    const body = { ...client, audience: `${issuer}userinfo`, ...Object(sampleOf(document, variant, known)) };
    const { status } = await service.send(operation, { path: operation.path, body: JSON.stringify(body) });
    statuses.set(String(body.grant_type), status);
  }
  expect(statuses.size).toBeGreaterThan(4);
  expect(statuses.get("password")).toBe(200);
  expect(statuses.get("refresh_token")).toBe(200);
});

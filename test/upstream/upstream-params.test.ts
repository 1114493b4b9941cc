import { beforeAll, describe, expect, test } from "vitest";
import { stringMember, type JsonBody } from "../support/api.ts";
import { claimsOf, codeGrant, successParameters, tokens, type AuthorizationParameters } from "../support/flow.ts";
import { callbackUrl, goToProvider, openFederation, type Federation } from "./federation.ts";
import { openScriptedProvider } from "./scripted-provider.ts";

let federation: Federation;
let connection: JsonBody;

beforeAll(async () => {
  federation = await openFederation();
  connection = await federation.connect();
});

/** Stores parameters and sends a browser to the identity provider. @returns the query of the authorization request. */
async function sentWith(
  parameters: object,
  requestParameters: AuthorizationParameters = {},
): Promise<{ readonly [name: string]: string | undefined }> {
  const { service } = federation;
  const options = { ...(connection["options"] as object), upstream_params: parameters };
  const { status, body } = await service.manage("PATCH", `/api/v2/connections/${stringMember(connection, "id")}`, { options });
  expect({ status, body }).toMatchObject({ status: 200 });
  const { searchParams } = new URL(await goToProvider(federation, service.browser(), service.web, requestParameters));
  return Object.fromEntries(searchParams);
}

describe("a fixed value", () => {
  test.each([
    ["acr_values", "urn:mfa"],
    ["audience", "https://api.example/"],
    ["display", "popup"],
    ["id_token_hint", "hint"],
    ["login_hint", "fixed@people.example"],
    ["max_age", "600"],
    ["prompt", "select_account"],
    ["resource", "https://api.example/"],
    ["ui_locales", "fr"],
    ["hd", "corp.example"],
  ])("sends a fixed value to the identity provider: %s", async (name, value) => {
    expect(await sentWith({ [name]: { value } }, { login_hint: "cy@people.example", ui_locales: "de" })).toMatchObject({ [name]: value });
    expect(await sentWith({ [name]: { value } })).toMatchObject({ [name]: value });
  });
});

describe("an alias of a client parameter", () => {
  test.each([
    ["acr_values", "urn:mfa"],
    ["display", "popup"],
    ["login_hint", "cy@people.example"],
    ["max_age", "600"],
    ["prompt", "consent"],
    ["response_mode", "form_post"],
    ["ui_locales", "de"],
  ])("forwards a parameter of the client: %s", async (alias, value) => {
    expect(await sentWith({ theirs: { alias } }, { [alias]: value })).toMatchObject({ theirs: value });
  });

  test("forwards client_id and response_type", async () => {
    const sent = await sentWith({ app: { alias: "client_id" }, kind: { alias: "response_type" } });
    expect(sent).toMatchObject({ app: federation.service.web.clientId, kind: "code", client_id: federation.client.clientId });
  });

  test("forwards audience and resource", async () => {
    const { service } = federation;
    const identifier = "https://orders.example/";
    await service.manage.create("/api/v2/resource-servers", { identifier, name: "Orders" });
    const parameters = { audience: { alias: "audience" }, theirs: { alias: "resource" } };
    for (const requested of [{ audience: identifier }, { resource: identifier }])
      expect(await sentWith(parameters, requested)).toMatchObject({ audience: identifier, theirs: identifier });
  });

  test("forwards id_token_hint", async () => {
    const other = await openScriptedProvider({ upstream_params: { id_token_hint: { alias: "id_token_hint" } } });
    const { code = "" } = successParameters(await other.signInAs({ sub: "s-1", email: "ann@people.example", email_verified: true }));
    const { id } = tokens(await other.service.exchange(codeGrant(other.service.web, code)));
    expect(claimsOf(id)).toMatchObject({ sub: "fieldnotes|s-1" });
    const { searchParams } = new URL(await goToProvider(other, other.service.browser(), other.service.web, { id_token_hint: id }));
    expect(searchParams.get("id_token_hint")).toBe(id);
  });

  test("forwards nothing if the client did not send the parameter", async () => {
    expect(await sentWith({ acr_values: { alias: "acr_values" }, theirs: { alias: "constructor" } })).not.toHaveProperty("acr_values");
  });
});

describe("a request for a new authentication", () => {
  test.each<[parameters: object, requested: AuthorizationParameters, sent: object]>([
    [{ prompt: { value: "select_account" } }, { prompt: "login" }, { prompt: "select_account login", max_age: "0" }],
    [{ prompt: { value: "none" } }, { max_age: "0" }, { prompt: "login", max_age: "0" }],
    [{ prompt: { value: "consent" } }, { max_age: "300" }, { prompt: "consent", max_age: "300" }],
    [{ prompt: { alias: "prompt" } }, { prompt: "login consent" }, { prompt: "login consent", max_age: "0" }],
    [{ max_age: { value: "3600" } }, { prompt: "login" }, { prompt: "login", max_age: "0" }],
    [{ max_age: { value: "3600" } }, { max_age: "300" }, { max_age: "300" }],
    [{ max_age: { value: "60" } }, { max_age: "300" }, { max_age: "60" }],
    [{ max_age: { value: "soon" } }, { max_age: "300" }, { max_age: "300" }],
  ])("keeps its parameters %j beside fixed ones: %j", async (parameters, requested, sent) => {
    expect(await sentWith(parameters, requested)).toMatchObject(sent);
  });
});

describe("a parameter that is validated", () => {
  test.each([
    "client_id",
    "response_type",
    "response_mode",
    "redirect_uri",
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
    "request",
    "request_uri",
  ])("is rejected when the connection is saved: %s", async (name) => {
    const body = {
      name: `with-${name.replaceAll("_", "-")}`,
      strategy: "oidc",
      options: { issuer: "https://a.example/", client_id: "we", upstream_params: { [name]: { value: "x" } } },
    };
    expect(await federation.service.manage("POST", "/api/v2/connections", body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(new RegExp(`upstream_params\\.${name}.*must not be set: .{20}`)) },
    });
  });

  test("has no effect if it is stored", async () => {
    const { service } = federation;
    await sentWith({ hd: { value: "corp.example" } });
    const where = { tenant_id: "main", id: stringMember(connection, "id") };
    const [row] = await service.data.collections.connections.find({ where, limit: 1 });
    if (row === undefined) throw new Error("no connection");
    const stored = { redirect_uri: { value: "https://evil.example/" }, response_mode: { value: "fragment" }, request: { value: "x" } };
    await service.data.collections.connections.update(where, { set: { options: { ...row.options, upstream_params: stored } } });
    service.clock.advance("1m");
    const { searchParams } = new URL(await goToProvider(federation, service.browser(), service.web));
    expect(Object.fromEntries(searchParams)).toMatchObject({ redirect_uri: callbackUrl, response_type: "code" });
    expect([searchParams.get("response_mode"), searchParams.get("request")]).toEqual([null, null]);
  });
});

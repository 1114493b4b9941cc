import { describe, expect, test } from "vitest";
import { successParameters } from "../support/flow.ts";
import { openFederation, upstreamIssuer } from "./federation.ts";
import { expectFailure, makeKey, openScriptedProvider } from "./scripted-provider.ts";

const ann = { sub: "s-1", email: "ann@people.example", email_verified: true };
const endpoints = {
  authorization_endpoint: `${upstreamIssuer}authorize`,
  token_endpoint: `${upstreamIssuer}token`,
  jwks_uri: `${upstreamIssuer}keys`,
};

describe("a connection with explicit endpoints", () => {
  test.each(["RS256", "RS512", "PS256", "ES256", "ES384", "EdDSA"])("accepts an ID token signed with %s", async (alg) => {
    const provider = await openScriptedProvider(endpoints);
    provider.keys.current = await makeKey("one", alg);
    successParameters(await provider.signInAs(ann));
  });
});

describe("id_token_signed_response_algs", () => {
  test.each([["endpoints", endpoints] as const, ["discovery", {}] as const])("is enforced with %s", async (_, options) => {
    const provider = await openScriptedProvider({ ...options, id_token_signed_response_algs: ["ES384", "EdDSA"] });
    const { description } = await expectFailure(provider, await provider.signInAs(ann));
    expect(description).toContain(`'alg' is "ES256", expected "ES384, EdDSA"`);
    provider.keys.current = await makeKey("two", "ES384");
    successParameters(await provider.signInAs(ann));
  });

  test.each([[["HS256"]], [["none"]], [[]]])("must not be %j", async (algorithms) => {
    const { service } = await openFederation();
    const options = { issuer: upstreamIssuer, client_id: "we", id_token_signed_response_algs: algorithms };
    expect(await service.manage("POST", "/api/v2/connections", { name: "other", strategy: "oidc", options })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("id_token_signed_response_algs") },
    });
  });
});

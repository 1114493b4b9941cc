import { beforeAll, describe, expect, test } from "vitest";
import { jsonBody, type JsonBody } from "../support/api.ts";
import { openCertificateWorld, type CertificateWorld } from "./world.ts";

/** The plan Config: `oidcc-discovery-endpoint-verification`, and the checks of the key set in every module. */

let world: CertificateWorld;
let metadata: JsonBody;
beforeAll(async () => {
  world = await openCertificateWorld();
  metadata = jsonBody(await world.call("GET", "/.well-known/openid-configuration"));
});

const names = (member: string): readonly string[] => {
  const value = metadata[member];
  if (!Array.isArray(value)) throw new Error(`${member} is not a list`);
  return value.map(String);
};

describe("oidcc-discovery-endpoint-verification", () => {
  test("the issuer is the URL before /.well-known, without query and fragment", () => {
    expect(metadata["issuer"]).toBe(world.postern.issuer);
    const { search, hash, protocol } = new URL(String(metadata["issuer"]));
    expect([search, hash, protocol]).toEqual(["", "", "https:"]);
  });

  test("every endpoint is an https URL", () => {
    const endpoints = Object.entries(metadata).filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri");
    for (const [name, url] of endpoints) expect(new URL(String(url)).protocol, name).toBe("https:");
    for (const name of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "end_session_endpoint"])
      expect(metadata).toHaveProperty(name);
  });

  test("response and subject types and grant types contain those of every plan", () => {
    expect(names("response_types_supported")).toEqual(expect.arrayContaining(["code", "id_token", "token id_token"]));
    expect(names("subject_types_supported")).toEqual(["public"]);
    expect(names("grant_types_supported")).toEqual(expect.arrayContaining(["authorization_code", "implicit", "refresh_token"]));
  });

  test("the algorithms of ID tokens and of /userinfo contain RS256, and none is nowhere", () => {
    const lists = Object.keys(metadata).filter((name) => name.endsWith("_values_supported") && name.includes("_alg_"));
    expect(lists).toEqual(expect.arrayContaining(["id_token_signing_alg_values_supported", "userinfo_signing_alg_values_supported"]));
    for (const name of lists) {
      expect(names(name), name).not.toContain("none");
      if (!name.includes("dpop")) expect(names(name), name).toContain("RS256");
    }
  });

  test("scopes are valid and contain openid, and claims, locales and PKCE methods are listed", () => {
    expect(names("scopes_supported")).toContain("openid");
    for (const scope of names("scopes_supported")) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(names("claims_supported")).toEqual(expect.arrayContaining(["sub", "name", "email", "address", "phone_number"]));
    for (const locale of names("ui_locales_supported")) expect(Intl.getCanonicalLocales(locale)).toEqual([locale]);
    expect(names("code_challenge_methods_supported")).toEqual(["S256"]);
  });

  test("the only member outside the registered metadata is mfa_challenge_endpoint, of Auth0", () => {
    const unregistered = Object.keys(metadata).filter((name) => !registered.has(name));
    expect(unregistered).toEqual(["mfa_challenge_endpoint"]);
  });

  test("request objects by value are supported, and those by reference are not", () => {
    expect(metadata).toMatchObject({
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      claims_parameter_supported: true,
    });
  });
});

describe("the key set", () => {
  test("has distinct key ids, unpadded values and no private members", async () => {
    const { keys } = jsonBody(await world.call("GET", "/.well-known/jwks.json"));
    if (!Array.isArray(keys)) throw new Error("the key set has no keys");
    const ids = keys.map(({ kid }: JsonBody) => kid);
    expect(ids.every((kid) => typeof kid === "string" && kid !== "")).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    for (const key of keys as readonly JsonBody[]) {
      for (const name of ["d", "p", "q", "dp", "dq", "qi", "k"]) expect(key).not.toHaveProperty(name);
      if (key["kty"] === "RSA") expect(String(key["n"])).toMatch(/^[A-Za-z0-9_-]{342,}$/);
    }
  });
});

/** The members of RFC 8414, OpenID Connect Discovery 1.0 and the specifications that extend them. */
const registered: ReadonlySet<string> = new Set([
  ..."issuer authorization_endpoint token_endpoint userinfo_endpoint jwks_uri registration_endpoint scopes_supported".split(" "),
  ..."response_types_supported response_modes_supported grant_types_supported acr_values_supported subject_types_supported".split(" "),
  ..."id_token_signing_alg_values_supported userinfo_signing_alg_values_supported request_object_signing_alg_values_supported".split(" "),
  ..."token_endpoint_auth_methods_supported token_endpoint_auth_signing_alg_values_supported claims_supported".split(" "),
  ..."ui_locales_supported claims_parameter_supported request_parameter_supported request_uri_parameter_supported".split(" "),
  ..."code_challenge_methods_supported revocation_endpoint revocation_endpoint_auth_methods_supported".split(" "),
  ..."revocation_endpoint_auth_signing_alg_values_supported introspection_endpoint introspection_endpoint_auth_methods_supported".split(
    " ",
  ),
  ..."introspection_endpoint_auth_signing_alg_values_supported device_authorization_endpoint end_session_endpoint".split(" "),
  ..."backchannel_logout_supported backchannel_logout_session_supported pushed_authorization_request_endpoint".split(" "),
  ..."require_pushed_authorization_requests authorization_response_iss_parameter_supported dpop_signing_alg_values_supported".split(" "),
  ..."prompt_values_supported client_id_metadata_document_supported".split(" "),
]);

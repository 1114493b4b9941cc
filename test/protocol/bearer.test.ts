import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody } from "../support/api.ts";
import type { ApiResponse } from "../support/postern.ts";
import { obtainTokens, openService, randomString, type LoginService } from "../support/flow.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

let service: LoginService;
let access: string;
beforeAll(async () => {
  service = await openService();
  ({ access } = await obtainTokens(service, service.web, service.ada));
});

const challengeOf = ({ headers }: ApiResponse): string => headers.get("www-authenticate") ?? "";

describe("userinfo with a bearer token (RFC 6750 section 3)", () => {
  test.each([
    ["without a token", {}],
    ["with another scheme", { authorization: "Basic YTpi" }],
    ["with an incomplete header", { authorization: "Bearer" }],
    ["with a malformed token", { authorization: "Bearer a b" }],
  ])("responds to a request %s with 401 and a challenge without an error", async (_, headers) => {
    for (const method of ["GET", "POST"]) {
      const response = await service.call(method, "/userinfo", { headers });
      expectError(response, 401, "invalid_token");
      expect(challengeOf(response)).toMatch(/^Bearer realm="[^"]+"$/);
    }
  });

  test.each([
    ["an unknown token", () => randomString()],
    ["a token with another signature", () => `${access.slice(0, -8)}AAAAAAAA`],
    ["an unsigned token", () => `${Buffer.from('{"alg":"none"}').toString("base64url")}.${access.split(".")[1]}.`],
  ])("responds to %s with 401 and the error invalid_token in the challenge", async (_, make) => {
    const token = make();
    const responses = [
      await service.call("GET", "/userinfo", { token }),
      await service.call("POST", "/userinfo", { token }),
      await service.call("POST", "/userinfo", { headers: form, body: `access_token=${token}` }),
    ];
    for (const response of responses) {
      expectError(response, 401, "invalid_token");
      expect(challengeOf(response)).toBe('Bearer error="invalid_token"');
    }
  });

  test("responds to two tokens with 400 and the error invalid_request in the challenge", async () => {
    const response = await service.call("POST", "/userinfo", { token: access, headers: form, body: `access_token=${access}` });
    expectError(response, 400, "invalid_request", "two access tokens");
    expect(challengeOf(response)).toBe('Bearer error="invalid_request"');
  });

  test("responds with 415 to a token in a body that is not a form, including JSON (RFC 6750 section 2.2)", async () => {
    const headers = { "content-type": "text/plain" };
    for (const response of [
      await service.call("POST", "/userinfo", { headers, body: `access_token=${access}` }),
      await service.call("POST", "/userinfo", { body: { access_token: access } }),
    ]) {
      expectError(response, 415, "unsupported_media_type");
    }
    jsonBody(await service.call("POST", "/userinfo", { headers: form, body: `access_token=${access}` }));
  });

  test("responds to a token without the openid scope with 403 and a challenge that names the scope", async () => {
    const { access: narrow } = await obtainTokens(service, service.web, service.ada, { scope: "profile" });
    const response = await service.userinfo(narrow);
    expectError(response, 403, "insufficient_scope");
    expect(challengeOf(response)).toBe('Bearer error="insufficient_scope", scope="openid"');
  });

  test("responds to methods other than GET and POST with 405 and the allowed methods", async () => {
    const response = await service.call("DELETE", "/userinfo", { token: access });
    expectError(response, 405, "method_not_allowed");
    expect(response.headers.get("allow")).toBe("GET, POST");
  });

  test("accepts a valid token, with the scheme in upper or lower case", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      expect(jsonBody(await service.call("GET", "/userinfo", { headers: { authorization: `${scheme} ${access}` } }))["sub"]).toBe(
        service.ada.userId,
      );
    }
  });
});

describe("the challenge of the token endpoint (RFC 6749 section 5.2, RFC 7617 section 2)", () => {
  test.each(["/oauth/token", "/oauth/revoke", "/oauth/introspect"])(
    "%s sends a Basic challenge with a realm only if the client used Basic authentication",
    async (path) => {
      const headers = { ...form, authorization: `Basic ${Buffer.from(`${service.web.clientId}:wrong`).toString("base64")}` };
      const tried = await service.call("POST", path, { headers, body: "token=x&grant_type=refresh_token" });
      expectError(tried, 401, "invalid_client");
      expect(challengeOf(tried)).toMatch(/^Basic realm="[^"]+"$/);
      const body = `client_id=${service.web.clientId}&client_secret=wrong&token=x&grant_type=refresh_token`;
      const other = await service.call("POST", path, { headers: form, body });
      expectError(other, 401, "invalid_client");
      expect(challengeOf(other)).toBe("");
    },
  );
});

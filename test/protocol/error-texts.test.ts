import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { clientSecret } from "../support/postern.ts";
import {
  sendAuthorization,
  authorizeParameters,
  openService,
  errorParameters,
  readResult,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

/** RFC 6749 sections 4.1.2.1 and 5.2: printable ASCII without `"` and `\`. */
const allowed = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

const unusual = ['a"b\\c', "line\r\nSet-Cookie: x=1", "tab\there", "naïve 😀 名前", "\u2028\u0085\u0007", "x".repeat(5000)];

describe("error_description", () => {
  test.each(unusual)("is short printable ASCII for %j at /authorize", async (input) => {
    const requests: AuthorizationParameters[] = [
      { response_type: input },
      { response_mode: input },
      { audience: input },
      { scope: input },
      { prompt: input },
      { organization: input },
      { claims: input },
    ];
    for (const requested of requests) {
      const { error = "", error_description: description = "" } = errorParameters(
        await sendAuthorization(service.browser(), service.web, requested),
      );
      expect(error).toMatch(/^[a-z_]+$/);
      expect(description, JSON.stringify(requested)).toMatch(allowed);
      expect(description.length).toBeLessThan(600);
    }
  });

  test.each(unusual)("is short printable ASCII for %j at the token endpoint", async (input) => {
    const bodies: { readonly [name: string]: string }[] = [
      { grant_type: input },
      { grant_type: "client_credentials", audience: input.slice(0, 600) },
      { grant_type: "client_credentials", audience: `${service.postern.issuer}api/v2/`, scope: input },
      { grant_type: "refresh_token", refresh_token: "x", organization: input },
    ];
    for (const body of bodies) {
      const response = await service.exchange({ client_id: "main-manager", client_secret: clientSecret, ...body });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
      const description = stringMember(jsonBody(response, response.status), "error_description");
      expect(description, JSON.stringify(body)).toMatch(allowed);
      expect(description.length).toBeLessThan(600);
    }
  });
});

test("truncates long input in log events", async () => {
  errorParameters(await sendAuthorization(service.browser(), service.web, { audience: "y".repeat(100_000) }));
  service.clock.advance("5s");
  const { body } = await service.manage("GET", "/api/v2/logs?per_page=1&q=type:f");
  expect(JSON.stringify(body)).toContain("no API has the identifier 'yyyy");
  expect(JSON.stringify(body).length).toBeLessThan(3000);
});

describe("a parameter that is repeated or is not a string", () => {
  const twice = (name: string, value: string, parameters: AuthorizationParameters = {}): string =>
    `/authorize?${new URLSearchParams(authorizeParameters(service.web, parameters))}&${new URLSearchParams({ [name]: value })}`;

  test.each([
    ["scope", "openid", "invalid_request"],
    ["response_type", "token", "invalid_request"],
    ["state", "other", "invalid_request"],
    ["nonce", "other", "invalid_request"],
    ["prompt", "none", "invalid_request"],
    // RFC 8707 section 2.
    ["resource", "x", "invalid_target"],
    ["extra", "x", "invalid_request"],
  ])("names a repeated %s in the error for the client", async (name, value, error) => {
    const result = await readResult(await service.browser().get(twice(name, value, { [name]: "code" })));
    expect(errorParameters(result)).toMatchObject({ error, error_description: `'${name}' is given more than once` });
    expect(result).toMatchObject({ to: service.web.redirectUri });
  });

  test("uses the requested response mode for the error", async () => {
    const result = await readResult(await service.browser().get(twice("nonce", "other", { response_mode: "form_post" })));
    expect(result).toMatchObject({ mode: "form_post", parameters: { error: "invalid_request", state: "st-1" } });
  });

  test.each(["client_id", "redirect_uri"])("shows the error for a repeated %s to the user only, and logs it", async (name) => {
    const url = twice(name, name === "client_id" ? service.spa.clientId : "https://evil.test/");
    expect(await readResult(await service.browser().get(url))).toMatchObject({ kind: "page", status: 400 });
    service.clock.advance("5s");
    const { body } = await service.manage("GET", "/api/v2/logs?per_page=1&q=type:f");
    expect(body).toMatchObject([{ type: "f", description: expect.stringContaining(`'${name}' is given more than once`), ip: "192.0.2.7" }]);
  });

  test("results in an error page without a redirect if it is in a posted form", async () => {
    const body = `${new URLSearchParams(authorizeParameters(service.web))}&scope=openid`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await service.call("POST", "/authorize", { headers, body });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    const token = await service.call("POST", "/oauth/token", { headers, body: "grant_type=password&grant_type=password&client_id=x" });
    expectError(token, 400, "invalid_request", "'grant_type' is given more than once");
  });

  test("rejects a number in JSON", async () => {
    const response = await service.browser().post("/authorize", { json: { ...authorizeParameters(service.web), max_age: 5 } });
    expect(errorParameters(await readResult(response))["error_description"]).toBe("'max_age' must be text");
  });
});

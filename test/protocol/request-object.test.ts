import { beforeAll, expect, test, vi } from "vitest";
import { sendAuthorization, authorizeParameters, openService, errorParameters, readResult, type LoginService } from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

/** An unsigned request object as in OpenID Connect Core section 6.1. */
function requestObject(claims: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "none" })}.${encode(claims)}.`;
}

test("ignores the contents of an unsigned request object, and redirects an error to the registered redirect URI", async () => {
  const request = requestObject({ redirect_uri: "https://evil.test/", state: "inner", prompt: "none", client_id: service.spa.clientId });
  for (const requested of [{ request }, { request_uri: "https://app.example.test/request.jwt" }, { request, request_uri: "urn:x" }]) {
    const result = await sendAuthorization(service.browser(), service.web, requested);
    expect(errorParameters(result)).toMatchObject({
      error: expect.stringMatching(/^(invalid_request_object|request_uri_not_supported)$/),
      state: "st-1",
    });
    expect(result).toMatchObject({ to: service.web.redirectUri, mode: "query" });
  }
});

test("never redirects to an unregistered redirect URI outside the request object, for any content of the object", async () => {
  const request = requestObject({ redirect_uri: service.web.redirectUri });
  for (const redirect_uri of ["https://evil.test/", undefined]) {
    const app = await service.register({
      secret: true,
      callbacks: ["https://app.example.test/callback", "https://app.example.test/second"],
    });
    expect(await sendAuthorization(service.browser(), app, { request, redirect_uri })).toMatchObject({ kind: "page", status: 400 });
  }
});

test("never fetches a request_uri", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("{}"));
  try {
    await sendAuthorization(service.browser(), service.web, { request_uri: "http://169.254.169.254/latest/meta-data" });
    expect(fetched).not.toHaveBeenCalled();
  } finally {
    fetched.mockRestore();
  }
});

test("treats an empty request parameter as absent", async () => {
  const parameters = authorizeParameters(service.web, { request: "", request_uri: "" });
  expect((await readResult(await service.browser().get(`/authorize?${new URLSearchParams(parameters)}`))).kind).toBe("login");
});

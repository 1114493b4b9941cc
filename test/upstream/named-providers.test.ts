import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { jsonBody, stringMember } from "../support/api.ts";
import { sendAuthorization, claimsOf, codeGrant, loginState, openService, submitStep, tokens } from "../support/flow.ts";
import { callbackUrl } from "./federation.ts";
import { openRecorded, recorded, namedStrategies, type RecordedProvider } from "./recorded-providers.ts";

describe("named identity providers with recorded responses", () => {
  test.each(namedStrategies)("signs in with %s", (strategy) => expectSignIn(strategy, recorded[strategy]));
});

test("oauth2 compares no issuer: Keycloak sends `iss`, and an ID token with the scope openid", async () => {
  const realm = "https://old.example/realms/main";
  await expectSignIn("oauth2", {
    ...recorded.oauth2,
    options: { ...recorded.oauth2.options, scope: "openid read" },
    query: { scope: "openid read", nonce: undefined },
    claims: { iss: realm, sub: "another subject", nonce: undefined },
    callback: { iss: realm },
  });
});

test("oauth2 reads the user's id if a member of the profile with another of its names is null", async () => {
  const { options } = recorded.oauth2;
  const profile = { sub: null, user_id: null, id: 42, name: "Ann Lee", email: "ann@old.example", email_verified: true };
  const replies = { "https://old.example/me": profile };
  await expectSignIn("oauth2", { ...recorded.oauth2, options: { ...options, fieldsMap: {} }, replies });
});

async function expectSignIn(strategy: (typeof namedStrategies)[number], provider: RecordedProvider): Promise<void> {
  let now = 0;
  const recording = await openRecorded(provider, () => now);
  const { requests } = recording;
  const service = await openService({ network: { fetch: recording.fetch } });
  now = Math.floor(service.clock.now() / 1000);
  const connection = await service.manage.create("/api/v2/connections", {
    name: strategy,
    strategy,
    show_as_button: true,
    options: provider.options,
  });
  await service.manage("PATCH", `/api/v2/connections/${stringMember(connection, "id")}/clients`, [
    { client_id: service.web.clientId, status: true },
  ]);

  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  const redirected = new URL(
    stringMember(await submitStep(browser, state, { action: "continue-with", connection: strategy }), "redirect_to"),
  );
  expect(redirected.origin + redirected.pathname).toBe(provider.authorize);
  const query: { readonly [name: string]: string | undefined } = Object.fromEntries(redirected.searchParams);
  expect(query).toMatchObject({ client_id: "we", redirect_uri: callbackUrl, response_type: "code" });
  for (const [name, value] of Object.entries(provider.query ?? {})) expect(query[name], name).toBe(value);
  recording.nonce = query["nonce"] ?? "";

  const sent = { code: "c-1", state: query["state"] ?? "", ...provider.callback };
  // A cross-site form is verified at once, and redirected to a GET request, with which the browser sends its cookies.
  const back =
    query["response_mode"] === "form_post"
      ? String((await browser.post("/login/callback", { form: sent })).headers.get("location"))
      : `/login/callback?${new URLSearchParams(sent)}`;
  const { location } = { location: (await browser.get(back)).headers.get("location") ?? "" };
  const code = new URL(location).searchParams.get("code") ?? "";
  const { id } = tokens(await service.exchange(codeGrant(service.web, code)));
  expect(claimsOf(id).sub).toBe(provider.user["user_id"]);
  expect(jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(String(provider.user["user_id"]))}`))).toMatchObject(
    provider.user,
  );

  const exchange = requests.find(({ url }) => url.href === provider.token);
  expect(Object.fromEntries(exchange?.body ?? [])).toMatchObject({
    grant_type: "authorization_code",
    code: "c-1",
    redirect_uri: callbackUrl,
  });
  for (const name of provider.missing ?? []) expect(exchange?.body.has(name), name).toBe(false);
  // GitHub responds with JSON only on request, and rejects requests without a user agent.
  for (const { headers } of requests) {
    expect(headers.get("accept")).toContain("application/json");
    expect(headers.get("user-agent")).not.toBeNull();
  }
  if (strategy === "apple") {
    const secret = exchange?.body.get("client_secret") ?? "";
    expect(decodeProtectedHeader(secret)).toMatchObject({ alg: "ES256", kid: "KEY1234567" });
    expect(decodeJwt(secret)).toMatchObject({ iss: "TEAM123456", sub: "we", aud: "https://appleid.apple.com" });
  }
}

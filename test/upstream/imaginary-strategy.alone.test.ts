import { expect, test, vi } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  successParameters,
  loginState,
  getFlow,
  openService,
  openStep,
  submitStep,
  readResult,
} from "../support/flow.ts";
import { issuer } from "../support/postern.ts";

// The only new entry in the table.
vi.mock(import("../../packages/core/src/model/connections/strategies.ts"), async (load) => ({
  strategies: { ...(await load()).strategies, imaginary: (await import("./imaginary-strategy.ts")).imaginary },
}));

const replies: { readonly [url: string]: object } = {
  "https://south.imaginary.test/token": { access_token: "opaque", token_type: "bearer" },
  "https://south.imaginary.test/me": { number: 7 },
};

/** Responds as the identity provider. */
async function fetchProvider({ url }: Request): Promise<Response> {
  return Response.json(replies[url] ?? {}, { status: replies[url] === undefined ? 500 : 200 });
}

test("one definition in the table of strategies is enough to sign in at a new identity provider", async () => {
  const { manage, web, browser: openBrowser, postern } = await openService({ network: { fetch: fetchProvider } });

  // Management API: options are validated, have defaults, and their secrets are encrypted.
  expectError(
    await manage("POST", "/api/v2/connections", { name: "new", strategy: "imaginary", options: { region: "southwest" } }),
    400,
    "invalid_request",
    "options.region",
  );
  const connection = await manage.create("/api/v2/connections", {
    name: "new",
    strategy: "imaginary",
    options: { client_id: "we", client_secret: "a secret of ours" },
  });
  expect(connection["options"]).toEqual({ client_id: "we", region: "north" });
  const path = `/api/v2/connections/${stringMember(connection, "id")}`;
  expectError(
    await manage("PATCH", path, { options: { client_id: "we", region: "south" } }),
    400,
    "invalid_request",
    "'options.region' decides where stored secrets are sent",
  );
  jsonBody(await manage("PATCH", path, { options: { client_id: "we", client_secret: "another secret", region: "south" } }));
  await manage("PATCH", `${path}/clients`, [{ client_id: web.clientId, status: true }]);

  // OpenAPI: the strategy, and the parameters of the callback.
  const management = await (await postern.fetch(new Request(`${issuer}api/v2/spec`))).text();
  expect(management).toContain('"imaginary"');
  const auth = await (await postern.fetch(new Request(`${issuer}.well-known/openapi.json`))).text();
  expect(auth.match(/"badge"/g)).toHaveLength(2);

  // Login pages: a social provider has a button with its mark.
  const browser = openBrowser();
  const state = loginState(await sendAuthorization(browser, web));
  expect((await getFlow(browser, state))["screen"]).toMatchObject({
    providers: [{ connection: "new", label: "Imaginary", strategy: "imaginary" }],
  });
  const page = await (await openStep(browser, state)).text();
  expect(page).toContain("M1 2h3v4H5z");

  // The callback: a cross-site form. Only the parameters that the strategy declares reach the strategy: it does not
  // compare `iss`.
  const redirected = new URL(stringMember(await submitStep(browser, state, { action: "continue-with", connection: "new" }), "redirect_to"));
  expect(redirected.origin + redirected.pathname).toBe("https://south.imaginary.test/authorize");
  expect(Object.fromEntries(redirected.searchParams)).toMatchObject({ response_mode: "form_post", scope: "who" });
  const declared = { state: redirected.searchParams.get("state") ?? "", code: "c-1", badge: '{"color":"red"}' };
  const sent = { ...declared, iss: "https://another.example.test", unknown: "x" };
  const form = await openBrowser().post("/login/callback", { form: sent, headers: { origin: redirected.origin } });
  const back = new URL(form.headers.get("location") ?? "", issuer);
  expect(Object.fromEntries(back.searchParams)).toEqual({ state: declared.state });
  successParameters(await readResult(await browser.get(back.href)));
  const user = jsonBody(await manage("GET", "/api/v2/users/new%7C7"));
  expect(user).toMatchObject({ name: '{"color":"red"}', identities: [{ provider: "imaginary", isSocial: true }] });
});

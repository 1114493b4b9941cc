import { beforeAll, describe, expect, test } from "vitest";
import { externalClient, readRegistration } from "../../packages/core/src/model/clients/registration.ts";
import { jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  errorParameters,
  getFlow,
  loginState,
  openService,
  openStep,
  redirectOf,
  screenName,
  sendAuthorization,
  submit,
  submitStep,
  successParameters,
  type App,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";
import { createOutbox } from "../support/outbox.ts";
import type { TestOptions } from "../support/postern.ts";

/** The consent of users to clients that registered themselves, and the name of such clients on pages. */
const name = "Acme Bank";
const documentUrl = "https://agents.example.test/oauth/client.json";
const callbacks = [
  "https://agents.example.test/callback",
  "https://login.example.test:8443/callback",
  "http://127.0.0.1/callback",
  "http://localhost/callback",
  "http://[::1]/callback",
  "https://localhost/callback",
  "acme-bank.com:/callback",
  "httpx://acme-bank.com/callback",
] as const;
const [callback] = callbacks;
const metadata = {
  client_name: name,
  client_uri: "https://acme-bank.com/",
  logo_uri: "https://acme-bank.com/logo.png",
  tos_uri: "https://acme-bank.com/terms",
  token_endpoint_auth_method: "none",
  application_type: "native",
  redirect_uris: callbacks,
};

/** A service with a client that has a metadata document, and a client of dynamic registration. */
interface Service extends LoginService {
  readonly byDocument: App;
  readonly byRegistration: App;
}

async function openUnverified(options: TestOptions = {}): Promise<Service> {
  const fetch = async ({ url }: Request): Promise<Response> =>
    url === documentUrl ? Response.json({ ...metadata, client_id: documentUrl }) : new Response("", { status: 404 });
  const service = await openService({ network: { fetch }, ...options });
  const settings = { client_id_metadata_document_supported: true };
  expect((await service.manage("PATCH", "/api/v2/tenants/settings", settings)).status).toBe(200);
  const context = { defaultName: "App", defaultMethod: "none", signingAlgorithm: "ES256", allowedAlgorithms: [] } as const;
  const now = service.clock.now();
  const row = {
    ...externalClient(readRegistration(metadata, context)),
    tenant_id: "main",
    client_id: "tpc_registered",
    external_metadata_type: "dcr",
    external_metadata_created_by: "client",
    secret_hash: null,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
  };
  expect(await service.data.collections.clients.insert([row])).toBe(true);
  return {
    ...service,
    byDocument: { clientId: documentUrl, redirectUri: callback },
    byRegistration: { clientId: row.client_id, redirectUri: callback },
  };
}

/** Lets external clients sign users in with the tenant's password database. */
async function offerToExternalClients({ manage }: LoginService): Promise<void> {
  const { body } = await manage("GET", "/api/v2/connections?strategy=auth0");
  const [connection] = body as readonly { readonly id: string }[];
  expect((await manage("PATCH", `/api/v2/connections/${connection?.id ?? ""}`, { is_domain_connection: true })).status).toBe(200);
}

let service: Service;
beforeAll(async () => {
  service = await openUnverified();
  await offerToExternalClients(service);
});

async function reachConsent(browser: Browser, app: App, redirectUri: string): Promise<string> {
  const state = loginState(await sendAuthorization(browser, app, { redirect_uri: redirectUri }));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  expect(screenName(await submitStep(browser, state, { action: "sign-in", password: service.ada.password }))).toBe("consent");
  return state;
}

const website = { destination: "agents.example.test", destinationKind: "website" };

test.each([
  ["a website", callback, website],
  ["a website with a port", callbacks[1], { destination: "login.example.test:8443", destinationKind: "website" }],
  [
    "a loopback address with a port",
    "http://127.0.0.1:33418/callback",
    { destination: "127.0.0.1:33418", destinationKind: "this-computer" },
  ],
  ["localhost", callbacks[3], { destination: "localhost", destinationKind: "this-computer" }],
  ["the loopback address of IPv6", callbacks[4], { destination: "[::1]", destinationKind: "this-computer" }],
  ["localhost over TLS", callbacks[5], { destination: "localhost", destinationKind: "website" }],
  ["a scheme that looks like a host", callbacks[6], { destination: "acme-bank.com", destinationKind: "this-device" }],
  ["a scheme that begins like http", callbacks[7], { destination: "httpx", destinationKind: "this-device" }],
])("the consent screen marks the client as unverified, and says that %s receives the response", async (_, redirectUri, shown) => {
  const browser = service.browser();
  const document = await getFlow(browser, await reachConsent(browser, service.byDocument, redirectUri));
  expect(document["screen"]).toMatchObject({
    client: { name, unverified: true, documentHost: "agents.example.test" },
    account: service.ada.email,
    ...shown,
  });
  const other = service.browser();
  const registered = await getFlow(other, await reachConsent(other, service.byRegistration, redirectUri));
  expect(registered["screen"]).toMatchObject({ ...shown });
  expect((registered["screen"] as { readonly client: unknown }).client).toEqual({ name, unverified: true });
});

test("the consent page shows hosts, and the name only as what the app calls itself", async () => {
  const browser = service.browser();
  const state = await reachConsent(browser, service.byDocument, "http://127.0.0.1:33418/callback");
  const html = await (await openStep(browser, state, "consent")).text();
  for (const shown of ["agents.example.test", "The app calls itself", "An app on this computer", "127.0.0.1:33418", "Nobody has checked"])
    expect(html).toContain(shown);
  expect(html.split(name)).toHaveLength(2);
  expect(html).not.toContain("acme-bank.com");
  const { code } = successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
  expect(code).toBeTypeOf("string");
});

test("the consent screen of a client that an administrator registered has none of the fields", async () => {
  const partner = await service.register({
    secret: true,
    name: "Partner",
    is_first_party: false,
    logo_uri: "https://partner.example/l.png",
  });
  const browser = service.browser();
  const { screen } = await getFlow(browser, await reachConsent(browser, partner, partner.redirectUri));
  expect(screen).toEqual({
    name: "consent",
    client: { name: "Partner", logoUri: "https://partner.example/l.png" },
    account: service.ada.email,
    destination: "app.example.test",
    scopes: expect.any(Array),
  });
});

describe("the pages before consent", () => {
  test.each([
    ["by the host of its metadata document", "byDocument", 'to continue to <bdi class="name">agents.example.test</bdi>'],
    ["not at all without a document", "byRegistration", "with your "],
  ] as const)("name the client %s", async (_, app, lead) => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service[app]));
    const identifier = await (await openStep(browser, state, "identifier")).text();
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    const password = await (await openStep(browser, state, "password")).text();
    expect(identifier).toContain(lead);
    expect(identifier + password).not.toMatch(/Acme Bank|acme-bank/);
  });

  test("fill a custom text with the host, and use the built-in text for a client without one", async () => {
    const own = await openUnverified();
    await offerToExternalClients(own);
    const texts = { "login-id": { title: "Welcome to ${clientName}" } };
    expect((await own.manage("PUT", "/api/v2/prompts/login-id/custom-text/en", texts)).status).toBe(200);
    const titles = [own.byDocument, own.byRegistration].map(async (app) => {
      const browser = own.browser();
      const html = await (await openStep(browser, loginState(await sendAuthorization(browser, app)), "identifier")).text();
      return /<h1>(.*?)<\/h1>/.exec(html)?.[1];
    });
    expect(await Promise.all(titles)).toEqual(["Welcome to agents.example.test", "Sign in"]);
  });

  test.each([
    ["byDocument", "agents.example.test"],
    ["byRegistration", "id.example.test"],
  ] as const)("send a code in the name of a host that can be trusted: %s", async (app, sender) => {
    const outbox = createOutbox();
    const own = await openUnverified({ messages: { mail: outbox.mail } });
    const connection = await own.manage.create("/api/v2/connections", { name: "email", strategy: "email", is_domain_connection: true });
    const send = async (): Promise<string> => {
      const browser = own.browser();
      const state = loginState(await sendAuthorization(browser, own[app]));
      expect(screenName(await submitStep(browser, state, { action: "continue", identifier: "stranger@example.test" }))).toBe("code");
      return JSON.stringify(outbox.take("stranger@example.test"));
    };
    const mail = await send();
    expect(mail).toContain(sender);
    const email = { subject: "Code for {{ application.name }} {{ client.name }}", body: "{{ code }}" };
    const changed = await own.manage("PATCH", `/api/v2/connections/${String(connection["id"])}`, { options: { email } });
    expect(changed.status).toBe(200);
    const custom = await send();
    expect(custom).toContain("Code for");
    expect(mail + custom).not.toContain(name);
  });

  test("do not link to the client after the login is finished", async () => {
    const browser = service.browser();
    const state = await reachConsent(browser, service.byDocument, callbacks[2]);
    successParameters(await submit(browser, state, { action: "accept" }));
    service.clock.advance("1m");
    const html = await (await openStep(browser, state)).text();
    expect(html).toContain("Sign-in complete");
    expect(html).not.toContain('href="https://agents.example.test');
  });
});

describe("if no connection is offered to clients that registered themselves", () => {
  const refusal = async (own: Service, app: App, parameters: AuthorizationParameters = {}) =>
    sendAuthorization(own.browser(), app, parameters);

  test.each(["byDocument", "byRegistration"] as const)("a page explains it to the user, without a redirect: %s", async (app) => {
    const own = await openUnverified();
    const shown = await refusal(own, own[app]);
    expect(shown).toMatchObject({ kind: "page", status: 400, html: expect.stringContaining("You can’t use this app here") });
    expect(shown).not.toMatchObject({ html: expect.stringContaining("is_domain_connection") });
    expect(shown).not.toMatchObject({ html: expect.stringContaining("https://agents.example.test") });
    await offerToExternalClients(own);
    loginState(await refusal(own, own[app]));
  });

  test("the page names the setting in development", async () => {
    const own = await openUnverified({ development: true });
    expect(await refusal(own, own.byDocument)).toMatchObject({
      html: expect.stringMatching(/no connection for signing in .*is_domain_connection/),
    });
  });

  test("a silent request receives the error, and so does a client that an administrator registered", async () => {
    const own = await openUnverified();
    expect(errorParameters(await refusal(own, own.byDocument, { prompt: "none" }))["error"]).toBe("access_denied");
    const partner = await own.register({ secret: true, name: "Partner" });
    jsonBody(await own.manage("PATCH", `/api/v2/clients/${partner.clientId}/connections`, []));
    expect(errorParameters(await refusal(own, partner))["error"]).toBe("access_denied");
  });

  test("a login that began before shows the page", async () => {
    const own = await openUnverified();
    await offerToExternalClients(own);
    const browser = own.browser();
    const state = loginState(await sendAuthorization(browser, own.byDocument));
    const { body } = await own.manage("GET", "/api/v2/connections?strategy=auth0");
    const [connection] = body as readonly { readonly id: string }[];
    await own.manage("PATCH", `/api/v2/connections/${connection?.id ?? ""}`, { is_domain_connection: false });
    const response = await openStep(browser, state);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("You can’t use this app here");
  });
});

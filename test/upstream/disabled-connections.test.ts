import { describe, expect, test } from "vitest";
import type { Browser } from "../support/browser.ts";
import { stringMember } from "../support/api.ts";
import { successParameters, loginState, redirectOf, submitStep } from "../support/flow.ts";
import { codeOf, createOutbox } from "../support/outbox.ts";
import { returnFromProvider, goToProvider, openFederation, submitProviderSignIn, searchUsers, type Federation } from "./federation.ts";
import { openScriptedProvider } from "./scripted-provider.ts";

const email = "flo@people.example";

type Disable = (federation: Federation, connectionId: string) => Promise<unknown>;

const methods: readonly (readonly [how: string, disable: Disable])[] = [
  [
    "disabled for the client",
    ({ service }, id) => service.manage("PATCH", `/api/v2/connections/${id}/clients`, [{ client_id: service.web.clientId, status: false }]),
  ],
  ["deleted", ({ service }, id) => service.manage("DELETE", `/api/v2/connections/${id}`)],
];

/**
 * Returns from the identity provider with the email address of a local account, and confirms the link.
 * @returns the state of the login session that now prompts for authentication.
 */
async function arrive(federation: Federation, browser: Browser): Promise<string> {
  const { service, provider } = federation;
  const address = await goToProvider(federation, browser, service.web);
  return loginState(await returnFromProvider(browser, await submitProviderSignIn(federation, address, await provider.addUser(email))));
}

describe.each(methods)("a connection that was %s during the login session", (_, disable) => {
  test("adds no linked account to the account that the user signs in to with a password", async () => {
    const federation = await openFederation();
    const { service } = federation;
    const id = stringMember(await federation.connect(), "id");
    const localAccount = await service.addUser(email);
    const browser = service.browser();
    const state = await arrive(federation, browser);
    await submitStep(browser, state, { action: "link-account" });
    await disable(federation, id);
    successParameters(redirectOf(await submitStep(browser, state, { action: "sign-in", password: localAccount.password })));
    expect(await searchUsers(federation, `email:${email}`)).toMatchObject([{ user_id: localAccount.userId, identities: [{}] }]);
    const [user] = await searchUsers(federation, `email:${email}`);
    expect(user?.["identities"]).toHaveLength(1);
  });

  test("adds no linked account to the account that the user verifies with a code", async () => {
    const outbox = createOutbox();
    const federation = await openFederation({ messages: { mail: outbox.mail } });
    const { service } = federation;
    const id = stringMember(await federation.connect(), "id");
    await service.addUser(email);
    const browser = service.browser();
    const state = await arrive(federation, browser);
    await submitStep(browser, state, { action: "send-link-code" });
    await disable(federation, id);
    await submitStep(browser, state, { action: "enter-code", code: codeOf(outbox.take(email)) });
    const [user] = await searchUsers(federation, `email:${email}`);
    expect(user?.["identities"]).toHaveLength(1);
  });

  test.each(["before the callback", "during the token request"])("signs no user in: %s", async (when) => {
    const federation = await openScriptedProvider();
    const { body } = await federation.service.manage("GET", "/api/v2/connections?name=fieldnotes");
    const [{ id } = { id: "" }] = body as readonly { id: string }[];
    const whileAway = (): Promise<unknown> => disable(federation, id);
    if (when === "during the token request") {
      federation.responses.set("/keys", async () => {
        federation.responses.delete("/keys");
        await whileAway();
        return federation.defaultResponse("/keys");
      });
    }
    const claims = { sub: "s-1", email, email_verified: true };
    const result = await federation.signInAs(claims, when === "before the callback" ? { whileAway: whileAway } : {});
    expect(result.kind).toBe("login");
    expect(await searchUsers(federation, `email:${email}`)).toEqual([]);
  });
});

test("an organization that no longer enables the connection links nothing", async () => {
  const federation = await openFederation();
  const { service } = federation;
  const id = stringMember(await federation.connect(), "id");
  const localAccount = await service.addUser(email);
  const { clientId } = service.web;
  await service.manage("PATCH", `/api/v2/clients/${clientId}`, { organization_usage: "allow" });
  const { body } = await service.manage("GET", "/api/v2/connections?name=Username-Password-Authentication");
  const [{ id: database } = { id: "" }] = body as readonly { id: string }[];
  const organization = await service.manage.create("/api/v2/organizations", {
    name: "acme",
    display_name: "Acme",
    enabled_connections: [{ connection_id: id }, { connection_id: database }],
  });
  const place = `/api/v2/organizations/${stringMember(organization, "id")}`;
  await service.manage("POST", `${place}/members`, { members: [localAccount.userId] });
  const browser = service.browser();
  const providerAccount = await federation.provider.addUser(email);
  const address = await goToProvider(federation, browser, service.web, { organization: stringMember(organization, "id") });
  const state = loginState(await returnFromProvider(browser, await submitProviderSignIn(federation, address, providerAccount)));
  await submitStep(browser, state, { action: "link-account" });
  await service.manage("DELETE", `${place}/enabled_connections/${id}`);
  successParameters(redirectOf(await submitStep(browser, state, { action: "sign-in", password: localAccount.password })));
  const [user] = await searchUsers(federation, `email:${email}`);
  expect(user?.["identities"]).toHaveLength(1);
});

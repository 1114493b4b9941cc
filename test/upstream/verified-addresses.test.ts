import { beforeEach, describe, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  redirectOf,
  screenName,
  submitStep,
  tokens,
  type FlowResult,
} from "../support/flow.ts";
import { openLink, submitLinkForm } from "../support/links.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { insertProof } from "../support/rows.ts";
import { searchUsers } from "./federation.ts";
import { openScriptedProvider, type Claims, type ScriptedProvider } from "./scripted-provider.ts";

/** Tests which accounts are linked without a prompt. This depends on how each email address was verified. */

const email = "victim@mail.example";
const database = "Username-Password-Authentication";
const owner: Claims = { sub: "the owner", email, email_verified: true };

let outbox: Outbox;
/**
 * An identity provider that is authoritative for `mail.example` at the connection `fieldnotes`, and not authoritative
 * for any domain at the connection `customer`.
 */
let provider: ScriptedProvider;

beforeEach(async () => {
  outbox = createOutbox();
  provider = await openScriptedProvider({ domain_aliases: ["mail.example"] }, { messages: { mail: outbox.mail } });
  await provider.connect({ name: "customer", display_name: "Customer", options: { client_id: "we", verified_by: "claim" } });
});

const subjectOf = async (result: FlowResult): Promise<string> => {
  const { service } = provider;
  return String(claimsOf(tokens(await service.exchange(codeGrant(service.web, successParameters(result)["code"] ?? ""))).id).sub);
};

async function screenOf(browser: Browser, result: FlowResult): Promise<unknown> {
  return (await getFlow(browser, loginState(result)))["screen"];
}

async function proofOf(userId: string): Promise<unknown> {
  const [row] = await provider.service.data.collections.users.find({ where: { tenant_id: "main", user_id: userId }, limit: 1 });
  return row?.email_proof;
}

describe("an account that an attacker created with another user's address at an identity provider", () => {
  test.each([
    ["the provider sends email_verified: false", { email_verified: false }, "fieldnotes"],
    ["a provider without authority sends email_verified: true", { email_verified: true }, "customer"],
    ["a provider without authority sends no email_verified", {}, "customer"],
  ])("does not take over the owner's sign-in, and is not linked to the owner's account: %s", async (_, verified, connection) => {
    const stranger = { sub: "a stranger", email, ...verified };
    const others = await subjectOf(await provider.signInAs(stranger, { connection }));

    const browser = provider.service.browser();
    const result = await provider.signInAs(owner, { browser });
    expect(await screenOf(browser, result)).toMatchObject({ name: "link-account", ownAccount: true });
    const ownerBrowser = await subjectOf(redirectOf(await submitStep(browser, loginState(result), { action: "own-account" })));

    expect(ownerBrowser).not.toBe(others);
    expect(await subjectOf(await provider.signInAs(owner))).toBe(ownerBrowser);
    expect(await subjectOf(await provider.signInAs(stranger, { connection }))).toBe(others);
    for (const user of await searchUsers(provider, `email:${email}`)) expect(user["identities"]).toHaveLength(1);
  });

  test("does not take over the owner's sign-in after the owner verified the address with a link", async () => {
    const { service } = provider;
    const stranger = { sub: "a stranger", email, email_verified: false };
    const others = await subjectOf(await provider.signInAs(stranger, { connection: "customer" }));
    const job = { user_id: others, client_id: service.web.clientId };
    await service.manage.create("/api/v2/jobs/verification-email", job);
    const providerBrowser = service.browser();
    await submitLinkForm(providerBrowser, await openLink(providerBrowser, outbox.take(email).link ?? ""), { action: "yes" });
    expect(await proofOf(others)).toBe("mailbox");

    const browser = service.browser();
    const result = await provider.signInAs(owner, { browser });
    expect(await screenOf(browser, result)).toMatchObject({ name: "link-account", ownAccount: true });
  });

  test("is not linked to an existing account of the owner either", async () => {
    const ownerBrowser = await subjectOf(await provider.signInAs(owner));
    const browser = provider.service.browser();
    const result = await provider.signInAs({ sub: "a stranger", email, email_verified: true }, { browser, connection: "customer" });
    expect(await screenOf(browser, result)).toMatchObject({ name: "link-account" });
    const others = await subjectOf(redirectOf(await submitStep(browser, loginState(result), { action: "own-account" })));
    expect(others).not.toBe(ownerBrowser);
    expect(await subjectOf(await provider.signInAs(owner))).toBe(ownerBrowser);
  });
});

describe("an account whose address an administrator verified", () => {
  test.each([["administrator" as const], [null]])("is not linked without a prompt (stored proof: %s)", async (kind) => {
    const localAccount = await provider.service.addUser(email);
    await insertProof(provider.service, localAccount, kind);
    const browser = provider.service.browser();
    expect(await screenOf(browser, await provider.signInAs(owner, { browser }))).toMatchObject({ name: "link-account", byCode: true });
    expect(await searchUsers(provider, `email:${email}`)).toMatchObject([{ identities: [{}] }]);
  });

  test("is linked after one code, which also verifies the address for the next identity provider, and keeps its password", async () => {
    const { service } = provider;
    const localAccount = await service.addUser(email);
    const browser = service.browser();
    const state = loginState(await provider.signInAs(owner, { browser }));
    await submitStep(browser, state, { action: "send-link-code" });
    const done = await submitStep(browser, state, { action: "enter-code", code: codeOf(outbox.take(email)) });
    expect(await subjectOf(redirectOf(done))).toBe(localAccount.userId);
    expect(await proofOf(localAccount.userId)).toBe("mailbox");

    await provider.connect({ name: "second", options: { client_id: "we", domain_aliases: ["mail.example"] } });
    expect(await subjectOf(await provider.signInAs(owner, { connection: "second" }))).toBe(localAccount.userId);
    const login = await service.manage("GET", `/api/v2/users/${encodeURIComponent(localAccount.userId)}`);
    expect(login.body).toMatchObject({ identities: [{}, {}, {}] });
    const [row] = await service.data.collections.users.find({ where: { tenant_id: "main", user_id: localAccount.userId }, limit: 1 });
    expect(row?.password_id).not.toBeNull();
  });

  test("is linked without a prompt after its owner reset the password by mail", async () => {
    const { service } = provider;
    const localAccount = await service.addUser(email);
    const body = { client_id: service.web.clientId, connection: database, email };
    expect((await service.call("POST", "/dbconnections/change_password", { body })).status).toBe(200);
    const browser = service.browser();
    await submitLinkForm(browser, await openLink(browser, outbox.take(email).link ?? ""), { password: "the owner's new one" });
    expect(await proofOf(localAccount.userId)).toBe("mailbox");
    expect(await subjectOf(await provider.signInAs(owner))).toBe(localAccount.userId);
  });

  test("is not linked after a password link that a Management API caller received", async () => {
    const { service } = provider;
    const localAccount = await service.addUser(email);
    const ticket = await service.manage.create("/api/v2/tickets/password-change", {
      user_id: localAccount.userId,
      mark_email_as_verified: true,
    });
    const providerBrowser = service.browser();
    await submitLinkForm(providerBrowser, await openLink(providerBrowser, stringMember(ticket, "ticket").replace(/#$/, "")), {
      password: "an administrator's choice",
    });
    const browser = service.browser();
    expect(await screenOf(browser, await provider.signInAs(owner, { browser }))).toMatchObject({ name: "link-account" });
  });
});

describe("the stored proof of an address", () => {
  test("does not apply to another address of the same account", async () => {
    const { service } = provider;
    const localAccount = await service.addUser("former@mail.example");
    await insertProof(service, localAccount);
    const path = `/api/v2/users/${encodeURIComponent(localAccount.userId)}`;
    expect((await service.manage("PATCH", path, { email, email_verified: true })).status).toBe(200);
    const browser = service.browser();
    expect(await screenOf(browser, await provider.signInAs(owner, { browser }))).toMatchObject({ name: "link-account" });
  });

  test("counts as an administrator's statement if an earlier version kept it after the address changed", async () => {
    const { service } = provider;
    const localAccount = await service.addUser("former@mail.example");
    await insertProof(service, localAccount);
    const users = service.data.collections.users;
    await users.update({ tenant_id: "main", user_id: localAccount.userId }, { set: { email, email_key: email } });
    const browser = service.browser();
    expect(await screenOf(browser, await provider.signInAs(owner, { browser }))).toMatchObject({ name: "link-account" });
  });

  test("stays if an administrator repeats email_verified: true, and is removed after email_verified: false", async () => {
    const { service } = provider;
    const localAccount = await service.addUser(email);
    await insertProof(service, localAccount);
    const path = `/api/v2/users/${encodeURIComponent(localAccount.userId)}`;
    await service.manage("PATCH", path, { email_verified: true, email });
    expect(await proofOf(localAccount.userId)).toBe("mailbox");
    await service.manage("PATCH", path, { email_verified: false });
    expect(await proofOf(localAccount.userId)).toBeNull();
    await service.manage("PATCH", path, { email_verified: true });
    expect(await proofOf(localAccount.userId)).toBe("administrator");
  });

  test("is `provider` for a domain of the identity provider, and `asserted` for others", async () => {
    expect(await proofOf(await subjectOf(await provider.signInAs(owner)))).toBe("provider");
    const elsewhere = { sub: "elsewhere", email: "elsewhere@other.example", email_verified: true };
    const user = await subjectOf(await provider.signInAs(elsewhere));
    expect(await proofOf(user)).toBe("asserted");
    expect(await subjectOf(await provider.signInAs({ ...elsewhere, email: "moved@mail.example" }))).toBe(user);
    expect(await proofOf(user)).toBe("provider");
    await provider.signInAs({ ...elsewhere, email: "moved@mail.example", email_verified: false });
    expect(await proofOf(user)).toBeNull();
  });
});

describe("the owner of an account", () => {
  test("reads the name of the identity provider in the code mail, and gets a mail once it is linked", async () => {
    const { service } = provider;
    await service.addUser(email);
    const browser = service.browser();
    const state = loginState(await provider.signInAs(owner, { browser, connection: "customer" }));
    await submitStep(browser, state, { action: "send-link-code" });
    const requested = outbox.take(email);
    expect(requested).toMatchObject({ template: "link_code", subject: "Your code to link Customer" });
    expect("text" in requested && requested.text).toContain("link Customer to your account");
    await submitStep(browser, state, { action: "enter-code", code: codeOf(requested) });
    expect(outbox.sent).toMatchObject([{ to: email, template: "account_linked", subject: "Customer was linked to your account" }]);
  });

  test("gets a mail after an automatic link", async () => {
    await insertProof(provider.service, await provider.service.addUser(email));
    await subjectOf(await provider.signInAs(owner));
    expect(outbox.sent).toMatchObject([{ to: email, template: "account_linked", subject: "Fieldnotes was linked to your account" }]);
    outbox.sent.length = 0;
    await subjectOf(await provider.signInAs(owner));
    expect(outbox.sent).toEqual([]);
  });

  test("gets a mail after a link that they confirmed by signing in", async () => {
    const { service } = provider;
    const localAccount = await service.addUser(email);
    const browser = service.browser();
    const state = loginState(await provider.signInAs(owner, { browser, connection: "customer" }));
    await submitStep(browser, state, { action: "link-account" });
    expect(outbox.sent).toEqual([]);
    redirectOf(await submitStep(browser, state, { action: "sign-in", password: localAccount.password }));
    expect(outbox.sent).toMatchObject([{ to: email, template: "account_linked" }]);
  });
});

describe("a user whose provider account cannot be linked", () => {
  test("continues with a separate account after the correct code if another user was linked to the provider account since", async () => {
    const { service } = provider;
    const localAccount = await service.addUser(email);
    const browser = service.browser();
    const state = loginState(await provider.signInAs(owner, { browser, connection: "customer" }));
    await submitStep(browser, state, { action: "send-link-code" });
    const code = codeOf(outbox.take(email));

    // In another tab, the provider account is linked to another user.
    const other = await service.addUser("other@mail.example");
    const { data } = service;
    const made = await subjectOf(await provider.signInAs({ ...owner, email: "moved@else.example" }, { connection: "customer" }));
    const linked = await service.manage("POST", `/api/v2/users/${encodeURIComponent(other.userId)}/identities`, {
      provider: "oidc",
      user_id: made,
    });
    expect(linked.status).toBe(201);

    const failed = await submitStep(browser, state, { action: "enter-code", code });
    expect(failed).toMatchObject({ screen: { name: "link-account", failed: true, ownAccount: true } });
    expect(await subjectOf(redirectOf(await submitStep(browser, state, { action: "own-account" })))).toBe(other.userId);
    expect(await data.collections.users.count({ tenant_id: "main", linked_to: localAccount.userId })).toBe(0);
  });

  test("continues with a separate account if several accounts have the address", async () => {
    const { service } = provider;
    const localAccount = await service.addUser(email);
    await subjectOf(
      await provider.signInAs({ sub: "a stranger", email: "later@else.example", email_verified: true }, { connection: "customer" }),
    );
    await subjectOf(await provider.signInAs({ sub: "a stranger", email, email_verified: true }, { connection: "customer" }));
    const browser = service.browser();
    const result = await provider.signInAs(owner, { browser });
    expect(await screenOf(browser, result)).toMatchObject({ name: "link-account", ownAccount: true });
    const own = await subjectOf(redirectOf(await submitStep(browser, loginState(result), { action: "own-account" })));
    expect(own).not.toBe(localAccount.userId);
  });

  test("is not offered a separate account if the connection is closed for sign-ups, or next to a blocked account", async () => {
    const { service } = provider;
    const localAccount = await service.addUser(email);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(localAccount.userId)}`, { blocked: true });
    const blocked = service.browser();
    const result = await provider.signInAs(owner, { browser: blocked });
    expect(await screenOf(blocked, result)).not.toHaveProperty("ownAccount");
    expect(screenName(await submitStep(blocked, loginState(result), { action: "own-account" }))).toBe("link-account");

    await provider.connect({ name: "closed", options: { client_id: "we", disable_signup: true } });
    await subjectOf(
      await provider.signInAs({ sub: "a stranger", email: "x@else.example", email_verified: true }, { connection: "customer" }),
    );
    const closed = service.browser();
    const late = await provider.signInAs({ ...owner, email: "x@else.example" }, { browser: closed, connection: "closed" });
    expect(await screenOf(closed, late)).not.toHaveProperty("ownAccount");
    expect(screenName(await submitStep(closed, loginState(late), { action: "own-account" }))).toBe("link-account");
    expect(await searchUsers(provider, "email:x@else.example")).toHaveLength(1);
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, expectError, jsonBody, list, stringMember } from "../support/api.ts";
import type { TestAccount } from "../support/flow.ts";
import { expectLinked, openLinkingService, userPath, type LinkingService, type UserTokens } from "../factors/linked-support.ts";
import { recoveryGrant } from "../factors/mfa-api-support.ts";
import { setPolicies } from "../factors/support.ts";

/** Second factors of accounts that are linked and unlinked over the Management API. */

let service: LinkingService;
let ann: TestAccount;
let bob: TestAccount;

/** Adds two users with these numbers of authenticator apps. */
async function addUsers(appsOfAnn: number, appsOfBob: number): Promise<void> {
  ann = await service.addLinkingUser("ann@example.test", appsOfAnn);
  bob = await service.addLinkingUser("bob@work.test", appsOfBob);
}

beforeEach(async () => {
  service = await openLinkingService();
});

/** The tokens that speak for an account. */
const ways: { readonly [name: string]: (account: TestAccount) => Promise<UserTokens> } = {
  "a password": (account) => service.weakTokens(account),
  "a factor": (account) => service.strongTokens(account),
  async "a factor 20 minutes ago"(account) {
    const tokens = await service.strongTokens(account);
    service.clock.advance("20m");
    return tokens;
  },
  async "a password, and a factor in another session"(account) {
    const tokens = await service.weakTokens(account);
    await service.strongTokens(account);
    return tokens;
  },
};
const insufficient = Object.keys(ways).filter((way) => way !== "a factor");

describe("linking with user tokens", () => {
  test.each(insufficient)("rejects a primary account with a factor and an access token from %s", async (way) => {
    await addUsers(1, 0);
    const { access } = await (ways[way]?.(ann) ?? Promise.reject(new Error(way)));
    const refused = await service.link(ann, access, (await service.weakTokens(bob)).id);
    expectError(refused, 401, "invalid_token", "a sign-in with one within the last 15 minutes");
    expect(refused.headers.get("www-authenticate")).toMatch(/error="insufficient_user_authentication".*multi-factor/);
    expect([await service.factorsOf(ann), await service.factorsOf(bob)]).toEqual([["totp"], []]);
  });

  test.each([...insufficient, "a factor 20 minutes ago, refreshed now"])(
    "rejects an account with a factor and an ID token from %s",
    async (way) => {
      await addUsers(0, 1);
      const { id } = await (ways[way]?.(bob) ?? service.refreshedTokens(bob, "20m"));
      expectError(
        await service.link(ann, (await service.weakTokens(ann)).access, id),
        403,
        "forbidden",
        "'link_with': the account has a second factor",
      );
      expect([await service.factorsOf(ann), await service.factorsOf(bob)]).toEqual([[], ["totp"]]);
    },
  );

  test.each([
    [1, 0],
    [0, 1],
    [1, 1],
    [0, 0],
  ])("accepts accounts with %i and %i factors and tokens from a factor of each that has one", async (appsOfAnn, appsOfBob) => {
    await addUsers(appsOfAnn, appsOfBob);
    const tokensOf = (account: TestAccount, apps: number) => (apps > 0 ? service.strongTokens(account) : service.weakTokens(account));
    const [annTokens, bobTokens] = [await tokensOf(ann, appsOfAnn), await tokensOf(bob, appsOfBob)];
    expectLinked(await service.link(ann, annTokens.access, bobTokens.id));
    expect(await service.factorsOf(ann)).toHaveLength(appsOfAnn + appsOfBob);
    expect(await auditEvents(service.manage, "w")).toEqual([]);
  });

  test("rejects a token from a code by email as the second factor", async () => {
    await addUsers(0, 1);
    await setPolicies(service, ["all-applications"]);
    const begun = await service.begin(bob);
    const mfa_token = stringMember(begun, "mfa_token");
    const listed = list(await service.authenticators(mfa_token));
    const authenticator_id = stringMember(listed.find(({ type }) => type === "email") ?? {}, "id");
    const oob_code = stringMember(jsonBody(await service.challenge(mfa_token, { authenticator_id })), "oob_code");
    const binding_code = /\b\d{6}\b/.exec(service.outbox.take(bob.email).text)?.[0] ?? "";
    const grant = "http://auth0.com/oauth/grant-type/mfa-oob";
    const granted = jsonBody(await service.grant(grant, { mfa_token, oob_code, binding_code }));
    await setPolicies(service, []);
    const refused = await service.link(ann, (await service.weakTokens(ann)).access, stringMember(granted, "id_token"));
    expectError(refused, 403, "forbidden", "'link_with'");
  });

  test("rejects both accounts while their factors are frozen", async () => {
    await addUsers(1, 0);
    const { access } = await service.strongTokens(ann);
    const { id } = await service.weakTokens(bob);
    for (const user_id of [ann.userId, bob.userId]) {
      const freeze = (at: number | null) =>
        service.data.collections.users.update({ tenant_id: "main", user_id }, { set: { factors_frozen_until: at } });
      await freeze(service.clock.now() + 1000);
      expectError(await service.link(ann, access, id), 400, "access_denied", "paused");
      await freeze(null);
    }
    expectLinked(await service.link(ann, access, id));
  });

  test("rejects unlinking with a password alone, because the user would lose factors", async () => {
    await addUsers(0, 1);
    expectLinked(await service.linkAsAdmin(ann, bob));
    expectError(await service.unlink(ann, bob, (await service.weakTokens(ann)).access), 401, "invalid_token");
    expect(await service.factorsOf(ann)).toEqual(["totp"]);
    expect(await service.unlink(ann, bob, (await service.strongTokens(ann)).access)).toMatchObject({ status: 200 });
    expect([await service.factorsOf(ann), await service.factorsOf(bob)]).toEqual([[], ["totp"]]);
  });
});

describe("an administrator", () => {
  test("links accounts without their factors, and the log says so", async () => {
    await addUsers(1, 1);
    expectLinked(await service.linkAsAdmin(ann, bob));
    expect(await auditEvents(service.manage, "w")).toMatchObject([
      {
        description: "Accounts were linked without their second factors, because the caller may update every user.",
        user_id: ann.userId,
        details: { linked_account: bob.userId, unconfirmed_accounts: [ann.userId, bob.userId] },
      },
    ]);
  });

  test("links accounts without factors, and the log has no warning", async () => {
    await addUsers(0, 0);
    expectLinked(await service.linkAsAdmin(ann, bob));
    expect(await auditEvents(service.manage, "w")).toEqual([]);
  });

  test("can rename and remove the factor of a linked account as one of the user, and get it by its id", async () => {
    await addUsers(0, 1);
    expectLinked(await service.linkAsAdmin(ann, bob));
    const [method = {}] = list(await service.manage("GET", `${userPath(ann)}/authentication-methods`));
    const path = `${userPath(ann)}/authentication-methods/${encodeURIComponent(String(method["id"]))}`;
    expect(jsonBody(await service.manage("PATCH", path, { name: "Work" }))).toMatchObject({ name: "Work" });
    const enrollment = `/api/v2/guardian/enrollments/${encodeURIComponent(String(method["id"]))}`;
    expect(await service.manage("GET", enrollment)).toMatchObject({ status: 200 });
    expect(await service.manage("DELETE", path)).toMatchObject({ status: 204 });
    expect(jsonBody(await service.manage("GET", userPath(ann)))).not.toHaveProperty("multifactor");
    expect(await service.unlink(ann, bob)).toMatchObject({ status: 200 });
    expect(await service.factorsOf(bob)).toEqual([]);
    expect(jsonBody(await service.manage("GET", userPath(bob)))).not.toHaveProperty("multifactor");
  });

  test("removes all factors of a user with those of the linked accounts", async () => {
    await addUsers(1, 1);
    expectLinked(await service.linkAsAdmin(ann, bob));
    expect(await service.manage("DELETE", `${userPath(ann)}/authenticators`)).toMatchObject({ status: 204 });
    expect(await service.factorsOf(ann)).toEqual([]);
    await service.unlink(ann, bob);
    expect(await service.factorsOf(bob)).toEqual([]);
  });
});

describe("after linking", () => {
  test("both accounts sign in with the factors of both, and after unlinking each with its own", async () => {
    ann = await service.addLinkingUser("ann@example.test", 0);
    bob = await service.addLinkingUser("bob@work.test", 1);
    await service.manage.create(`${userPath(ann)}/authentication-methods`, { type: "phone", phone_number: "+4915112345678" });
    expectLinked(await service.linkAsAdmin(ann, bob));
    expect(await service.factorsOf(ann)).toEqual(["phone", "totp"]);
    for (const account of [ann, bob]) expect(await challengesOf(account)).toEqual(["phone", "otp"]);
    expect(await service.strongTokens(bob)).toHaveProperty("id");
    expect(jsonBody(await service.manage("GET", userPath(ann)))).toHaveProperty("multifactor_last_modified");

    expect(await service.unlink(ann, bob)).toMatchObject({ status: 200 });
    expect([await service.factorsOf(ann), await service.factorsOf(bob)]).toEqual([["phone"], ["totp"]]);
    expect([await challengesOf(ann), await challengesOf(bob)]).toEqual([["phone"], ["otp"]]);
  });

  test("a factor that is added to the user stays with the user", async () => {
    await addUsers(0, 1);
    expectLinked(await service.linkAsAdmin(ann, bob));
    await service.manage.create(`${userPath(ann)}/authentication-methods`, { type: "phone", phone_number: "+4915112345678" });
    await service.unlink(ann, bob);
    expect([await service.factorsOf(ann), await service.factorsOf(bob)]).toEqual([["phone"], ["totp"]]);
  });

  test("the recovery code of the linked account is neither listed nor valid, and returns", async () => {
    await addUsers(1, 1);
    const codeOf = async (account: TestAccount): Promise<string> =>
      stringMember(jsonBody(await service.manage("POST", `${userPath(account)}/recovery-code-regeneration`)), "recovery_code");
    const [annCode, bobCode] = [await codeOf(ann), await codeOf(bob)];
    const [bobsRow] = await service.data.collections.factors.find({
      where: { tenant_id: "main", user_id: bob.userId, type: "recovery-code" },
      limit: 1,
    });
    expectLinked(await service.linkAsAdmin(ann, bob));
    expect(await service.factorsOf(ann)).toEqual(["recovery-code", "totp", "totp"]);
    expectError(await service.manage("GET", `/api/v2/guardian/enrollments/${encodeURIComponent(String(bobsRow?.id))}`), 404, "not_found");
    await service.manage("DELETE", `/api/v2/guardian/enrollments/${encodeURIComponent(String(bobsRow?.id))}`);
    expect((await recover(bob, bobCode)).status).toBe(403);
    expect((await recover(bob, annCode)).status).toBe(200);
    await service.unlink(ann, bob);
    expect((await recover(bob, annCode)).status).toBe(403);
    expect((await recover(bob, bobCode)).status).toBe(200);
  });

  test("the factors of a deleted linked account are deleted, and those of the user stay", async () => {
    await addUsers(1, 0);
    const { id } = await service.manage.create("/api/v2/connections", { name: "other", strategy: "auth0" });
    const user = { connection: "other", email: "cid@other.test", email_verified: true };
    const cid = { ...ann, userId: stringMember(await service.manage.create("/api/v2/users", user), "user_id") };
    await service.manage.create(`${userPath(cid)}/authentication-methods`, { type: "phone", phone_number: "+4915112345678" });
    expectLinked(await service.linkAsAdmin(ann, cid));
    expect(await service.factorsOf(ann)).toEqual(["phone", "totp"]);
    expect(await service.manage("DELETE", `/api/v2/connections/${String(id)}`)).toMatchObject({ status: 204 });
    expect(await service.factorsOf(ann)).toEqual(["totp"]);
    expect(await service.data.collections.factors.count({ tenant_id: "main", user_id: cid.userId })).toBe(0);
    const [row] = await service.data.collections.users.find({ where: { tenant_id: "main", user_id: ann.userId }, limit: 1 });
    expect(row).toMatchObject({ enrolled_factors: ["totp"], linked_count: 0 });
  });
});

/** Signs in with the password under a policy. @returns the types of the user's authenticators, in the order of the API. */
async function challengesOf(account: TestAccount): Promise<readonly string[]> {
  await setPolicies(service, ["all-applications"]);
  const mfa_token = stringMember(await service.begin(account), "mfa_token");
  const types = list(await service.authenticators(mfa_token)).map((one) => stringMember(one, "type"));
  await setPolicies(service, []);
  return types.filter((type) => type !== "email");
}

/** Signs in with the password and a recovery code. */
async function recover(account: TestAccount, recovery_code: string) {
  await setPolicies(service, ["all-applications"]);
  const mfa_token = stringMember(await service.begin(account), "mfa_token");
  const reply = await service.grant(recoveryGrant, { mfa_token, recovery_code });
  await setPolicies(service, []);
  return reply;
}

import { beforeEach, expect, test } from "vitest";
import { createSoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { jsonBody, list, stringMember, type JsonBody } from "../support/api.ts";
import { claimsOf } from "../support/flow.ts";
import { openPasskeyService, passkeyApiOf, type PasskeyApi, type PasskeyService } from "./passkey-api-support.ts";

/** Passkeys of accounts that are linked and unlinked. */

let service: PasskeyService;
let ann: PasskeyUser;
let bob: PasskeyUser;

/** A user who signs in with a passkey on a separate device. */
interface PasskeyUser {
  readonly userId: string;
  readonly api: PasskeyApi;
}

async function signUp(email: string): Promise<PasskeyUser> {
  const api = passkeyApiOf(service, service.app, createSoftwareAuthenticator({ origin: "https://id.example.test" }));
  return { api, userId: subjectOf(await api.signUp(email)) };
}

const subjectOf = (tokens: JsonBody): string => String(claimsOf(stringMember(tokens, "id_token")).sub);
const signIn = async ({ api }: PasskeyUser): Promise<string> => subjectOf(jsonBody(await api.exchange(await api.usePasskey())));
const path = ({ userId }: PasskeyUser): string => `/api/v2/users/${encodeURIComponent(userId)}`;
const sessionsOf = (user: PasskeyUser): Promise<number> =>
  service.data.collections.sessions.count({ tenant_id: "main", user_id: user.userId, revoked_at: null });

beforeEach(async () => {
  service = await openPasskeyService();
  [ann, bob] = [await signUp("ann@example.test"), await signUp("bob@work.test")];
});

const link = async (): Promise<void> => {
  const linked = await service.manage("POST", `${path(ann)}/identities`, { provider: "auth0", user_id: bob.userId });
  expect(linked).toMatchObject({ status: 201 });
};
const unlink = async (): Promise<void> => {
  const unlinked = await service.manage("DELETE", `${path(ann)}/identities/auth0/${encodeURIComponent(bob.userId)}`);
  expect(unlinked).toMatchObject({ status: 200 });
};

test("the passkey of a linked account signs in to the primary account, and to its own one before and after", async () => {
  expect(await signIn(bob)).toBe(bob.userId);
  await link();
  expect([await signIn(ann), await signIn(bob)]).toEqual([ann.userId, ann.userId]);
  await unlink();
  expect([await signIn(ann), await signIn(bob)]).toEqual([ann.userId, bob.userId]);
  await link();
  expect(await signIn(bob)).toBe(ann.userId);
});

test("unlinking ends the sessions that the passkey of the linked account started, and no others", async () => {
  await link();
  const before = await sessionsOf(ann);
  await signIn(bob);
  expect(await sessionsOf(ann)).toBe(before + 1);
  await unlink();
  expect(await sessionsOf(ann)).toBe(before);
});

test("a removed passkey of the linked account signs in to neither account", async () => {
  await link();
  const methods = list(await service.manage("GET", `${path(ann)}/authentication-methods`));
  expect(methods).toHaveLength(2);
  for (const { id } of methods) await service.manage("DELETE", `${path(ann)}/authentication-methods/${encodeURIComponent(String(id))}`);
  expect((await bob.api.exchange(await bob.api.usePasskey())).status).toBe(403);
  await unlink();
  expect((await bob.api.exchange(await bob.api.usePasskey())).status).toBe(403);
});

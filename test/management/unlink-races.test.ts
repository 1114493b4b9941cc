import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { expectError, list, jsonBody, stringMember } from "../support/api.ts";
import { claimsOf, openService, type LoginService } from "../support/flow.ts";
import { sampled } from "../support/nightly.ts";
import type { ApiResponse } from "../support/postern.ts";
import { passwordClient, exchangeRefreshToken } from "./tokens.ts";

/** Ada, and Bob's account, which is linked to her. */
interface Setup {
  readonly data: PausingAdapter;
  readonly service: LoginService;
  readonly client: string;
  readonly token: string;
  readonly user: string;
}

async function createSetup(): Promise<Setup> {
  const data = pausingAdapter(createMemoryAdapter({ strict: true }));
  const service = await openService({ data });
  const { ada, bob, manage } = service;
  const user = `/api/v2/users/${encodeURIComponent(ada.userId)}`;
  expect(await manage("POST", `${user}/identities`, { provider: "auth0", user_id: bob.userId })).toMatchObject({ status: 201 });
  return { data, service, client: await passwordClient(service), token: await service.token(), user };
}

const signIn = async ({ service: { exchange, bob }, client }: Setup): Promise<ApiResponse> =>
  exchange({ grant_type: "password", client_id: client, username: bob.email, password: bob.password, scope: "openid offline_access" });
const unlink = async ({ service: { call, bob }, token, user }: Setup): Promise<ApiResponse> =>
  call("DELETE", `${user}/identities/auth0/${encodeURIComponent(bob.userId)}`, { token });

/** Expects that Bob's login belongs to Bob, fails, or has revoked tokens, and that Ada has no session from it. */
async function check({ service, client, user }: Setup, signedIn: ApiResponse, unlinked: ApiResponse): Promise<void> {
  expect(unlinked).toMatchObject({ status: 200 });
  expect([200, 403]).toContain(signedIn.status);
  expect(list(await service.manage("GET", `${user}/sessions`), "sessions")).toEqual([]);
  if (signedIn.status !== 200) return;
  const tokens = jsonBody(signedIn);
  if (claimsOf(stringMember(tokens, "access_token")).sub === service.bob.userId) return;
  expectError(await exchangeRefreshToken(service, client, stringMember(tokens, "refresh_token")), 400, "invalid_grant");
  expectError(await service.userinfo(stringMember(tokens, "access_token")), 401, "invalid_token");
}

test("an account that is unlinked between any two writes of its login does not sign in as the former primary user", async () => {
  const first = await createSetup();
  for (const at of sampled("pauses", decisiveMomentsOf(await first.data.writesOf(() => signIn(first))))) {
    const setup = await createSetup();
    const [signedIn, unlinked] = await setup.data.interleave(
      at,
      () => signIn(setup),
      () => unlink(setup),
    );
    await check(setup, signedIn, unlinked);
  }
});

test("an account that signs in between any two writes of its unlinking does not sign in as the former primary user", async () => {
  const first = await createSetup();
  for (const at of sampled("pauses", decisiveMomentsOf(await first.data.writesOf(() => unlink(first))))) {
    const setup = await createSetup();
    const [unlinked, signedIn] = await setup.data.interleave(
      at,
      () => unlink(setup),
      () => signIn(setup),
    );
    await check(setup, signedIn, unlinked);
  }
});

import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { expectError, list, object, text } from "../support/api.ts";
import { claimsOf, openService, type LoginService } from "../support/flow.ts";
import type { Answer } from "../support/postern.ts";
import { passwordClient, refresh } from "./tokens.ts";

/** Ada, and an account that is linked to her. */
interface Scene {
  readonly data: PausingAdapter;
  readonly service: LoginService;
  readonly client: string;
  readonly token: string;
  readonly user: string;
}

async function openScene(): Promise<Scene> {
  const data = pausingAdapter(createMemoryAdapter({ strict: true }));
  const service = await openService({ data });
  const { ada, bob, manage } = service;
  const user = `/api/v2/users/${encodeURIComponent(ada.userId)}`;
  expect(await manage("POST", `${user}/identities`, { provider: "auth0", user_id: bob.userId })).toMatchObject({ status: 201 });
  return { data, service, client: await passwordClient(service), token: await service.token(), user };
}

const signIn = async ({ service: { exchange, bob }, client }: Scene): Promise<Answer> =>
  exchange({ grant_type: "password", client_id: client, username: bob.email, password: bob.password, scope: "openid offline_access" });
const unlink = async ({ service: { call, bob }, token, user }: Scene): Promise<Answer> =>
  call("DELETE", `${user}/identities/auth0/${encodeURIComponent(bob.userId)}`, { token });

/** Whoever signed in by the account is themselves, or nobody: never the user that it was linked to. */
async function check({ service, client, user }: Scene, signedIn: Answer, unlinked: Answer): Promise<void> {
  expect(unlinked).toMatchObject({ status: 200 });
  expect([200, 403]).toContain(signedIn.status);
  expect(list(await service.manage("GET", `${user}/sessions`))).toEqual([]);
  if (signedIn.status !== 200) return;
  const given = object(signedIn);
  if (claimsOf(text(given, "access_token")).sub === service.bob.userId) return;
  expectError(await refresh(service, client, text(given, "refresh_token")), 400, "invalid_grant");
  expectError(await service.userinfo(text(given, "access_token")), 401, "invalid_token");
}

test("an account that is unlinked inside of each gap between the writes of its login is not the user any more", async () => {
  const first = await openScene();
  for (const at of decisiveMomentsOf(await first.data.writesOf(() => signIn(first)))) {
    const scene = await openScene();
    const [signedIn, unlinked] = await scene.data.interleave(
      at,
      () => signIn(scene),
      () => unlink(scene),
    );
    await check(scene, signedIn, unlinked);
  }
});

test("an account that signs in inside of each gap between the writes of its unlinking is not the user any more", async () => {
  const first = await openScene();
  for (const at of decisiveMomentsOf(await first.data.writesOf(() => unlink(first)))) {
    const scene = await openScene();
    const [unlinked, signedIn] = await scene.data.interleave(
      at,
      () => unlink(scene),
      () => signIn(scene),
    );
    await check(scene, signedIn, unlinked);
  }
});

import { createHash } from "node:crypto";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import { obtainTokens } from "../support/flow.ts";
import { openFederation, submitProviderSignIn, type Federation } from "../upstream/federation.ts";
import { showSections } from "./page.ts";

/** Tests crashes and other changes of the user between the writes that complete a link. */

const redirectUri = "https://app.example.test/callback";
const verifier = "v".repeat(64);
const audience = "https://id.example.test/me/";
const scope = "openid create:me:connected_accounts";

interface Scene {
  readonly federation: Federation;
  /** Completes the link. @returns the status. */
  complete(): Promise<number>;
  linked(): Promise<number>;
}

/** Brings a link to the point where the client completes it. @param afterWrite runs after each write from then on. */
async function prepare(afterWrite: (name: string) => void | Promise<void>): Promise<Scene> {
  let isCounting = false;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    const done = await run();
    if (isCounting) await afterWrite(name);
    return done;
  });
  const federation = await openFederation({ data, logger: { log() {} } });
  const { service } = federation;
  await federation.connect();
  await showSections(service, { linked_accounts: "shown" });
  const browser = service.browser();
  const { access } = await obtainTokens(service, service.spa, service.ada, { audience, scope }, browser);
  const post = (path: string, body: object) => service.call("POST", `/me/v1/connected-accounts/${path}`, { token: access, body });
  const begun = jsonBody(
    await post("connect", {
      connection: "fieldnotes",
      redirect_uri: redirectUri,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    }),
    201,
  );
  const { ticket } = jsonBody({ status: 200, body: begun["connect_params"], headers: new Headers() });
  const away = await browser.get(`/u/connect-account?ticket=${encodeURIComponent(String(ticket))}`);
  const atProvider = await federation.provider.addUser("ada@people.example");
  const back = await browser.get(await submitProviderSignIn(federation, away.headers.get("location") ?? "", atProvider));
  const body = {
    auth_session: stringMember(begun, "auth_session"),
    connect_code: new URL(back.headers.get("location") ?? "").searchParams.get("connect_code"),
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return {
    federation,
    async complete() {
      isCounting = true;
      const { status } = await post("complete", body);
      isCounting = false;
      return status;
    },
    async linked() {
      const user = jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`));
      return Array.isArray(user["identities"]) ? user["identities"].length - 1 : 0;
    },
  };
}

test("a crash at any write leaves the account linked or not, the code used, and the user able to sign in", async () => {
  const all: string[] = [];
  expect(await (await prepare((name) => void all.push(name))).complete()).toBe(201);
  expect(all[0]).toBe("login_sessions.delete");
  expect(all.length).toBeGreaterThan(3);
  for (const [lost, name] of all.entries()) {
    let written = 0;
    const scene = await prepare(() => {
      if (written++ === lost) throw new Error(`crash after ${name}`);
    });
    await scene.complete();
    expect(await scene.complete(), name).toBe(400);
    const { service } = scene.federation;
    expect(await scene.linked(), name).toBe(
      await service.data.collections.users.count({ tenant_id: "main", linked_to: service.ada.userId }),
    );
    expect((await obtainTokens(service, service.spa, service.ada)).access, name).not.toBe("");
  }
});

test.each([
  ["a freeze", 400, { factors_frozen_until: Number.MAX_SAFE_INTEGER }],
  ["a block", 409, { blocked: true }],
  ["a request for deletion", 409, { deletes_at: Number.MAX_SAFE_INTEGER, deletion_step_at: Number.MAX_SAFE_INTEGER }],
  ["a link to another account", 409, { linked_to: "auth0|other" }],
])("%s between the use of the code and the link stops the link", async (_, status, set) => {
  const scene = await prepare(async (name) => {
    if (name !== "login_sessions.delete") return;
    const where = { tenant_id: "main", user_id: scene.federation.service.ada.userId };
    await scene.federation.service.data.collections.users.update(where, { set, add: { revision: 1 } });
  });
  expect(await scene.complete()).toBe(status);
  const { service } = scene.federation;
  expect(await service.data.collections.users.count({ tenant_id: "main", linked_to: service.ada.userId })).toBe(0);
});

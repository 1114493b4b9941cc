import { expect } from "vitest";
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { creationOptionsOf, requestOptionsOf, type PasskeyAnswer } from "../factors/passkey-api-support.ts";
import { managerToken, tokenOf, userinfoStatus, type JsonReply } from "./support/client.ts";
import { serverIssuer } from "./support/fixtures.ts";
import type { ServerProcess } from "./support/processes.ts";
import { crashTests } from "./support/survive-crashes.ts";

/** A process is killed before and after each write while a user signs up or in with the passkey API. */
const surviveCrashes = crashTests();

let users = 0;

async function send(origin: string, method: string, path: string, body?: object, token?: string): Promise<JsonReply> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as JsonReply["body"] };
}

/** Enables passkeys. @returns a new email address. */
async function prepareSignUp({ origin }: ServerProcess): Promise<string> {
  const token = await managerToken(origin);
  const { body } = await send(origin, "GET", "/api/v2/connections?strategy=auth0", undefined, token);
  const [connection] = body as unknown as readonly { readonly id: string }[];
  const options = { authentication_methods: { password: { enabled: true }, passkey: { enabled: true } } };
  expect((await send(origin, "PATCH", `/api/v2/connections/${connection?.id}`, { options }, token)).status).toBe(200);
  return `passkey-${users++}@example.com`;
}

const newDevice = (): SoftwareAuthenticator => createSoftwareAuthenticator({ origin: new URL(serverIssuer).origin });

const register = ({ origin }: ServerProcess, email: string): Promise<JsonReply> =>
  send(origin, "POST", "/passkey/register", { client_id: "app", user_profile: { email } });

const challenge = ({ origin }: ServerProcess): Promise<JsonReply> => send(origin, "POST", "/passkey/challenge", { client_id: "app" });

/** Creates a passkey for a new account. @returns the parameters of the grant. */
async function createPasskey(server: ServerProcess, device: SoftwareAuthenticator, email: string): Promise<PasskeyAnswer> {
  const { status, body } = await register(server, email);
  expect(status).toBe(200);
  return { auth_session: String(body["auth_session"]), authn_response: await device.create(creationOptionsOf(body)) };
}

/** Uses the newest passkey of the device. @returns the parameters of the grant. */
async function usePasskey(server: ServerProcess, device: SoftwareAuthenticator): Promise<PasskeyAnswer> {
  const { status, body } = await challenge(server);
  expect(status).toBe(200);
  return { auth_session: String(body["auth_session"]), authn_response: await device.get(requestOptionsOf(body)) };
}

const exchange = ({ origin }: ServerProcess, answer: PasskeyAnswer): Promise<JsonReply> =>
  send(origin, "POST", "/oauth/token", {
    grant_type: "urn:okta:params:oauth:grant-type:webauthn",
    client_id: "app",
    scope: "openid offline_access",
    ...answer,
  });

async function expectTokens({ origin }: ServerProcess, reply: JsonReply): Promise<void> {
  expect(await userinfoStatus(origin, tokenOf(reply, "access_token"))).toBe(200);
}

/** Signs in with the passkey of a device, and requires that the response is valid once. */
async function expectSignIn(server: ServerProcess, device: SoftwareAuthenticator): Promise<void> {
  const answer = await usePasskey(server, device);
  await expectTokens(server, await exchange(server, answer));
  expect((await exchange(server, answer)).status).toBe(403);
}

/** The writes from an accepted passkey to the token response. */
const sessionWrites = ["sessions.insert", "users.update", "logs.insert", "refresh_tokens.insert"];

surviveCrashes<{ email: string }>("options for a new passkey", ["logs.insert"], {
  prepare: async (server) => ({ email: await prepareSignUp(server) }),
  request: (server, { email }) => register(server, email),
  async check(server, { email }) {
    const device = newDevice();
    await expectTokens(server, await exchange(server, await createPasskey(server, device, email)));
    await expectSignIn(server, device);
  },
});

surviveCrashes<{ email: string; device: SoftwareAuthenticator; answer: PasskeyAnswer }>(
  "sign-up with a passkey",
  ["tickets.insert", "factors.insert", "users.insert", "destination_budgets.insert", "tickets.insert", "logs.insert"],
  {
    coveredElsewhere: sessionWrites,
    async prepare(server) {
      const email = await prepareSignUp(server);
      const device = newDevice();
      return { email, device, answer: await createPasskey(server, device, email) };
    },
    request: (server, { answer }) => exchange(server, answer),
    async check(server, { email, device, answer }) {
      const repeated = await exchange(server, answer);
      if (repeated.status === 200) await expectTokens(server, repeated);
      expect((await exchange(server, answer)).status).toBe(403);
      // Either the account exists, with the passkey; or the user signs up again.
      if ((await exchange(server, await usePasskey(server, device))).status !== 200)
        await expectTokens(server, await exchange(server, await createPasskey(server, device, email)));
      await expectSignIn(server, device);
    },
  },
);

/** Signs a user up. @returns the device with the passkey. */
async function signUp(server: ServerProcess): Promise<SoftwareAuthenticator> {
  const device = newDevice();
  const email = await prepareSignUp(server);
  await expectTokens(server, await exchange(server, await createPasskey(server, device, email)));
  return device;
}

surviveCrashes<{ device: SoftwareAuthenticator }>("options to sign in with a passkey", ["logs.insert"], {
  prepare: async (server) => ({ device: await signUp(server) }),
  request: challenge,
  check: (server, { device }) => expectSignIn(server, device),
});

surviveCrashes<{ device: SoftwareAuthenticator; answer: PasskeyAnswer }>(
  "sign-in with a passkey",
  ["tickets.insert", "factors.update", ...sessionWrites],
  {
    async prepare(server) {
      const device = await signUp(server);
      return { device, answer: await usePasskey(server, device) };
    },
    request: (server, { answer }) => exchange(server, answer),
    async check(server, { device, answer }) {
      const repeated = await exchange(server, answer);
      if (repeated.status === 200) await expectTokens(server, repeated);
      expect((await exchange(server, answer)).status).toBe(403);
      await expectSignIn(server, device);
    },
  },
);

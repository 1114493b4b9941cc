import { expect } from "vitest";
import { webClient, testUser } from "../../support/code-flow-fixtures.ts";

const secret = "a-secret-that-is-long-enough-for-tests";
const [CALLBACK_URL = ""] = webClient.settings.callbacks;
const [LOGOUT_URL = ""] = webClient.settings.allowed_logout_urls;

/** The clients of the Workers and Bun examples, in the form that a code flow uses. */
export const exampleClients = { web: { clientId: "web", secret }, machine: { clientId: "manager", secret } };

/** The environment variables of these examples. */
export const exampleVariables = {
  POSTERN_SECRET: "0123456789abcdef0123456789abcdef",
  WEB_SECRET: secret,
  MANAGER_SECRET: secret,
  CALLBACK_URL,
  LOGOUT_URL,
};

/** Signs up the user of the code flow. */
export async function signUpTestUser(issuer: string): Promise<void> {
  const answer = await fetch(`${issuer}dbconnections/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: "web", connection: "Username-Password-Authentication", ...testUser }),
  });
  expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({ status: 200, email: testUser.email });
}

/** Requests a token for the Management API. */
export function requestToken(issuer: string, signal?: AbortSignal): Promise<Response> {
  const grant = { grant_type: "client_credentials", client_id: "manager", client_secret: secret, audience: `${issuer}api/v2/` };
  return fetch(`${issuer}oauth/token`, { method: "POST", body: new URLSearchParams(grant), ...(signal && { signal }) });
}

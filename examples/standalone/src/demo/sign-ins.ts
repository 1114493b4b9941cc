import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isClientName, type ClientName } from "./clients.ts";

/** The parameters of a sign-in, for the authorization request and for the check of the response. */
interface SignIn {
  readonly client: ClientName;
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

/**
 * Starts a sign-in. All its values are derived from one secret in a browser cookie. Users can sign in in any number of
 * tabs at the same time, the cookie does not grow, and abandoned sign-ins use no memory.
 */
export function beginSignIn(secret: string, client: ClientName): SignIn {
  const begin = `${client}.${randomBytes(16).toString("base64url")}`;
  return derive(secret, client, `${begin}.${mac(secret, begin)}`);
}

/** Returns the sign-in that a `state` belongs to, or undefined if this browser did not start it. */
export function findSignIn(secret: string, state: string): SignIn | undefined {
  const [client = "", random = "", proof = ""] = state.split(".");
  const expected = Buffer.from(mac(secret, `${client}.${random}`));
  const presented = Buffer.from(proof);
  if (!isClientName(client) || presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
  return derive(secret, client, `${client}.${random}.${proof}`);
}

/** Creates a secret for a browser, or a session id. */
export function randomText(): string {
  return randomBytes(32).toString("base64url");
}

function derive(secret: string, client: ClientName, state: string): SignIn {
  return { client, state, verifier: mac(secret, `verifier ${state}`), nonce: mac(secret, `nonce ${state}`) };
}

function mac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

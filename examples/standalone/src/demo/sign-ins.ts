import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isClientName, type ClientName } from "./clients.ts";

/** What a sign-in is begun with, and checked by when it comes back. */
export interface SignIn {
  readonly client: ClientName;
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

/**
 * A sign-in on its way. All of it follows from one secret that the browser keeps in a cookie: any number of tabs can be on their way at once,
 * the cookie does not grow, and nothing waits in memory for people who never come back.
 */
export function beginSignIn(secret: string, client: ClientName): SignIn {
  const begin = `${client}.${randomBytes(16).toString("base64url")}`;
  return derive(secret, client, `${begin}.${mac(secret, begin)}`);
}

/** The sign-in that a `state` belongs to; undefined where this browser did not begin it. */
export function findSignIn(secret: string, state: string): SignIn | undefined {
  const [client = "", random = "", proof = ""] = state.split(".");
  const expected = Buffer.from(mac(secret, `${client}.${random}`));
  const presented = Buffer.from(proof);
  if (!isClientName(client) || presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
  return derive(secret, client, `${client}.${random}.${proof}`);
}

/** A new secret for a browser, or the id of a session. */
export function randomText(): string {
  return randomBytes(32).toString("base64url");
}

function derive(secret: string, client: ClientName, state: string): SignIn {
  return { client, state, verifier: mac(secret, `verifier ${state}`), nonce: mac(secret, `nonce ${state}`) };
}

function mac(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

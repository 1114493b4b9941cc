import { equalInConstantTime, sha256 } from "../adapters/digest.ts";
import type { LoginSession } from "./login-session.ts";

/**
 * Returns the token of a rendered form. It has three parts. The first protects against forged posts (CSRF): only pages
 * that this login session rendered in its own browser contain it. The second identifies the user whom the page was
 * shown to; `viewerId` is undefined if no user is signed in. The third is the id of this rendering: the form counts as
 * one attempt, however often it is submitted.
 */
export async function formToken(login: LoginSession, viewerId: string | undefined, rendering: string): Promise<string> {
  return `${await sessionPart(login)}.${await personPart(login, viewerId)}.${rendering}`;
}

/** Whether a token belongs to a form of this login session. */
export async function isOwnForm(login: LoginSession, token: string): Promise<boolean> {
  return equalInConstantTime(token.split(".")[0] ?? "", await sessionPart(login));
}

/** Whether a token belongs to a form that was shown to this user. */
export async function wasShownTo(login: LoginSession, token: string, userId: string | undefined): Promise<boolean> {
  return equalInConstantTime(token.split(".")[1] ?? "", await personPart(login, userId));
}

/** Returns the rendering id of a token; undefined if it has no well-formed id. */
export function renderingOf(token: string): string | undefined {
  const rendering = token.split(".")[2] ?? "";
  return /^[\w-]{8,32}$/.test(rendering) ? rendering : undefined;
}

async function sessionPart({ id, browser_hash: browser }: LoginSession): Promise<string> {
  return sha256(JSON.stringify(["csrf", id, browser]));
}

async function personPart({ id, browser_hash: browser }: LoginSession, userId: string | undefined): Promise<string> {
  return sha256(JSON.stringify(["shown to", id, browser, userId ?? null]));
}

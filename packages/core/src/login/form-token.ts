import { equalInConstantTime, sha256 } from "../adapters/digest.ts";
import type { LoginSession } from "./login-session.ts";

/**
 * The token of a rendered form, in three parts. The first stands against forged posts (CSRF): only pages that this login session showed in its own browser know it.
 * The second says whom the page was shown to: the id of a user, undefined for nobody who is signed in. The third names this one rendering: however often it is
 * sent, it counts as one try.
 */
export async function formToken(login: LoginSession, shownTo: string | undefined, rendering: string): Promise<string> {
  return `${await sessionPart(login)}.${await personPart(login, shownTo)}.${rendering}`;
}

/** Whether a token is of a form of this login session. */
export async function isOwnForm(login: LoginSession, token: string): Promise<boolean> {
  return equalInConstantTime(token.split(".")[0] ?? "", await sessionPart(login));
}

/** Whether a token is of a form that was shown to this person. */
export async function wasShownTo(login: LoginSession, token: string, userId: string | undefined): Promise<boolean> {
  return equalInConstantTime(token.split(".")[1] ?? "", await personPart(login, userId));
}

/** The rendering that a token names; undefined where it names none as they are made here. */
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

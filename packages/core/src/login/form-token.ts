import { equalInConstantTime, sha256 } from "../adapters/digest.ts";
import type { LoginSession } from "./login-session.ts";

/** The owner of a form: a login session, or a session with the hash of its cookie. */
type FormOwner = Pick<LoginSession, "id" | "browser_hash">;

/**
 * Returns the token that is embedded in a form. It has three parts. The first part protects against forged posts
 * (CSRF): only the pages of this login session, in its own browser, contain it. The second part identifies the user who
 * was signed in when the page was rendered; `viewerId` is undefined if no user was signed in. The third part is the id
 * of the rendering: the form counts as one attempt, however often it is submitted.
 */
export async function formToken(login: FormOwner, viewerId: string | undefined, rendering: string): Promise<string> {
  return `${await sessionPart(login)}.${await personPart(login, viewerId)}.${rendering}`;
}

/** Whether a token comes from a form in this login session. */
export async function isOwnForm(login: FormOwner, token: string): Promise<boolean> {
  return equalInConstantTime(token.split(".")[0] ?? "", await sessionPart(login));
}

/** Whether a token comes from a form that was rendered while this user was signed in. */
export async function wasShownTo(login: FormOwner, token: string, userId: string | undefined): Promise<boolean> {
  return equalInConstantTime(token.split(".")[1] ?? "", await personPart(login, userId));
}

/** Returns the rendering id in a token; undefined if the token contains no well-formed id. */
export function renderingOf(token: string): string | undefined {
  const rendering = token.split(".")[2] ?? "";
  return /^[\w-]{8,32}$/.test(rendering) ? rendering : undefined;
}

async function sessionPart({ id, browser_hash: browser }: FormOwner): Promise<string> {
  return sha256(JSON.stringify(["csrf", id, browser]));
}

async function personPart({ id, browser_hash: browser }: FormOwner, userId: string | undefined): Promise<string> {
  return sha256(JSON.stringify(["shown to", id, browser, userId ?? null]));
}

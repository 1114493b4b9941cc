import type { Row } from "../data/schema.ts";
import type { CodeAddress } from "../domain/login/code-address.ts";
import { signInWithCode, type CodeLogin } from "../domain/login/code-login.ts";
import type { Session } from "../domain/sessions/session.ts";
import { PosternError } from "../errors.ts";
import { findKnownUserId } from "../tenancy/known-browser.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { attemptAt, sessionBeginning, type Refused, type Settled, type SignedIn } from "./attempt.ts";

/** What came of a code that was tried. Nothing may be answered before `recorded`. */
export type CodeSignIn<Begun> = Settled<SignedIn<CodeLogin>, Refused<CodeLogin>, Begun>;

/** A code that somebody brings. */
export interface BroughtCode {
  readonly address: CodeAddress;
  readonly code: string;
  /** Of the link that was opened. */
  readonly linkKey?: string | undefined;
  /** By which users the browser is known, as its cookie says. */
  readonly marks: readonly string[];
  /** The login session that asked for it. */
  readonly loginId?: string | undefined;
}

/**
 * Tries a one-time code at a connection, and puts on record what came of it.
 * @param begin begins the session of a primary account that was proved by one of its accounts. It is taken back where the login does not come about.
 */
export async function codeSignIn<Begun extends { readonly session: Session }>(
  tenant: Tenant,
  client: Client,
  connection: Row<"connections">,
  { marks, ...brought }: BroughtCode,
  begin: (userId: string, account: Row<"users">) => Promise<Begun>,
): Promise<CodeSignIn<Begun>> {
  const attempt = attemptAt(tenant, client, connection, sessionBeginning(tenant, begin));
  return attempt.settle<SignedIn<CodeLogin>, Refused<CodeLogin>>(
    await signInWithCode({
      ...attempt.request,
      ...brought,
      clientId: client.record.client_id,
      findKnownUserId: (account) => findKnownUserId(tenant, marks, account),
    }),
  );
}

/** A failed try as programs are told of it (spec sections 4.3 and 7). @throws {PosternError} */
export function refuseCode(result: Refused<CodeLogin>, { channel }: CodeAddress): never {
  switch (result.kind) {
    case "refused":
      throw result.error;
    case "blocked":
      // The vendor's browser SDK logs out locally on exactly these words.
      throw new PosternError("access_denied", "user is blocked");
    case "no-account":
      throw new PosternError("access_denied", result.message);
    case "wrong-code":
      throw new PosternError("invalid_grant", `Wrong ${channel === "email" ? "email" : "phone number"} or verification code.`);
  }
}

import type { Row } from "../data/schema.ts";
import { signInWithPassword, type PasswordLogin } from "../domain/login/password-login.ts";
import type { Session } from "../domain/sessions/session.ts";
import { PosternError } from "../errors.ts";
import { attackProtection } from "../model/tenant/attack-protection.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { attemptAt, sessionBeginning, type Refused, type Settled, type SignedIn } from "./attempt.ts";

/** What came of a password that was tried. Nothing may be answered before `recorded`. */
export type PasswordSignIn<Begun> = Settled<SignedIn<PasswordLogin>, Refused<PasswordLogin>, Begun>;

/**
 * Tries a password at a connection, and puts on record what came of it.
 * @param begin begins the session of a primary account that was proved by one of its accounts. It is taken back where the login does not come about.
 */
export async function passwordSignIn<Begun extends { readonly session: Session }>(
  tenant: Tenant,
  client: Client,
  connection: Row<"connections">,
  credentials: { readonly identifier: string; readonly password: string; readonly form?: string | undefined },
  begin: (userId: string, account: Row<"users">) => Promise<Begun>,
): Promise<PasswordSignIn<Begun>> {
  const attempt = attemptAt(tenant, client, connection, sessionBeginning(tenant, begin));
  return attempt.settle<SignedIn<PasswordLogin>, Refused<PasswordLogin>>(
    await signInWithPassword({ ...attempt.request, ...credentials, protection: attackProtection(tenant.record) }),
  );
}

/** A failed try as programs are told of it (spec section 7). @throws {PosternError} */
export function refusePassword(result: Refused<PasswordLogin>): never {
  switch (result.kind) {
    case "throttled":
      throw new PosternError("TOO_MANY_FAILED_LOGINS", "Too many failed logins: try again in some minutes, or sign in another way.");
    case "blocked":
      // The vendor's browser SDK logs out locally on exactly these words.
      throw new PosternError("access_denied", "user is blocked");
    case "refused":
      throw result.error;
    case "wrong-credentials":
    case "repeated":
      throw new PosternError("INVALID_CREDENTIALS", "Wrong email or password.");
  }
}

import type { Row } from "../data/schema.ts";
import type { CodeAddress } from "../domain/login/code-address.ts";
import { signInWithCode, type CodeLogin } from "../domain/login/code-login.ts";
import { dropNewSession, type Session } from "../domain/sessions/session.ts";
import { PosternError } from "../errors.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { recordTries } from "./record-tries.ts";

/** What came of a code that was tried. Nothing may be answered before `recorded`. */
export type CodeSignIn<Begun> = { readonly recorded: Promise<unknown> } & (
  | (Extract<CodeLogin, { kind: "signed-in" }> & { readonly begun: Begun })
  | Exclude<CodeLogin, { kind: "signed-in" }>
);

/** A code that somebody brings. */
export interface BroughtCode {
  readonly address: CodeAddress;
  readonly code: string;
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
  brought: BroughtCode,
  begin: (userId: string, account: Row<"users">) => Promise<Begun>,
): Promise<CodeSignIn<Begun>> {
  const { environment, data } = tenant;
  let begun: Begun | undefined;
  const result = await signInWithCode({
    environment,
    data,
    tenantId: tenant.id,
    connection,
    ...brought,
    clientId: client.record.client_id,
    ip: tenant.requestInfo.ip,
    limiter: environment.rateLimiter,
    wait: environment.wait,
    begin: async (userId, account) => {
      begun = await begin(userId, account);
    },
  });
  const recorded = recordTries(tenant, client, result.events);
  if (result.kind !== "signed-in") {
    if (begun !== undefined) await dropNewSession(data, begun.session);
    return { ...result, recorded };
  }
  if (begun === undefined) throw new Error("a session is begun before a login is recorded");
  return { ...result, begun, recorded };
}

/** A failed try as programs are told of it (spec sections 4.3 and 7). @throws {PosternError} */
export function refuseCode(result: Exclude<CodeLogin, { kind: "signed-in" }>, { channel }: CodeAddress): never {
  switch (result.kind) {
    case "refused":
      throw result.error;
    case "blocked":
      // The vendor's browser SDK logs out locally on exactly these words.
      throw new PosternError("access_denied", "user is blocked");
    case "wrong-code":
      throw new PosternError("invalid_grant", `Wrong ${channel === "email" ? "email" : "phone number"} or verification code.`);
  }
}

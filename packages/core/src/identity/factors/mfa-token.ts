import * as z from "zod";
import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import { ApiFactorType, FactorType, toApiFactorType } from "../../model/factors/factor-types.ts";
import { accessColumns } from "../users/account-access.ts";
import type { FactorDecision, FirstFactor } from "./factor-policy.ts";

/** The purpose of `mfa_token`s among the tickets. */
const purpose = "mfa";

/** Lifetime of an `mfa_token` in milliseconds, as in Auth0. */
const lifetime = 10 * 60_000;

/**
 * The factors that a client may use to continue, as Auth0's `mfa_requirements`. `challenge` is omitted if every enrolled
 * factor is allowed.
 */
export const MfaRequirements = z
  .object({
    challenge: z.array(z.object({ type: ApiFactorType })).readonly(),
    enroll: z.array(z.object({ type: ApiFactorType })).readonly(),
  })
  .exactPartial();

export type MfaRequirements = z.infer<typeof MfaRequirements>;

const AccessColumns = z.object({
  password_id: z.string().nullable(),
  email_key: z.string().nullable(),
  username_key: z.string().nullable(),
  phone_key: z.string().nullable(),
  subject_key: z.string().nullable(),
});

/** The data of an `mfa_token` that is stored as JSON, in addition to the columns of its row. */
export const MfaRequest = z.object({
  account_id: z.string(),
  connection_id: z.string(),
  method: z.enum(["pwd", "otp", "federated", "passkey"]),
  user_verified: z.boolean().exactOptional(),
  proved_mailbox: z.boolean().exactOptional(),
  /** The columns of the account that gave access to it. If one of them changes, the token is void. */
  access: AccessColumns,
  scope: z.string().exactOptional(),
  audience: z.string().exactOptional(),
  organization: z.string().exactOptional(),
  gty: z.literal("password").exactOptional(),
  requirements: MfaRequirements,
  /** The factors that the user passed with this token. */
  passed: z.array(z.object({ type: FactorType, at: z.number() })),
});

export type MfaRequest = z.infer<typeof MfaRequest>;

/** A user who passed the first factor at the token endpoint and must pass a second one. */
export interface PendingGrant {
  /** The primary account. */
  readonly user: Row<"users">;
  /** The account that was authenticated: the primary account, or one that is linked to it. */
  readonly account: Row<"users">;
  readonly connection: Row<"connections">;
  readonly first: FirstFactor;
  readonly decision: Exclude<FactorDecision, { kind: "sufficient" }>;
}

/** The tokens that the client requested. They are issued after the second factor. */
export interface RequestedTokens {
  readonly scope: string | undefined;
  readonly audience: string | undefined;
  readonly organization?: string | undefined;
  /** The `gty` claim of the access token, if Auth0 sets one. */
  readonly gty?: "password";
}

/**
 * Creates an `mfa_token` for a client: with it and a second factor, the client gets the tokens that it requested.
 * @returns the text of the token. Only a hash of it is stored.
 */
export async function createMfaToken(
  context: DataContext,
  clientId: string,
  { user, account, connection, first, decision }: PendingGrant,
  { scope, audience, organization, gty }: RequestedTokens,
): Promise<{ readonly token: string; readonly requirements: MfaRequirements }> {
  const token = context.random.token(32);
  const now = context.now();
  const requirements = toRequirements(decision);
  const request: MfaRequest = {
    account_id: account.user_id,
    connection_id: connection.id,
    method: first.method,
    ...(first.userVerified !== undefined && { user_verified: first.userVerified }),
    ...(first.provedMailbox !== undefined && { proved_mailbox: first.provedMailbox }),
    access: accessColumns(account),
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    ...(organization !== undefined && { organization }),
    ...(gty !== undefined && { gty }),
    requirements,
    passed: [],
  };
  await context.data.tickets.insert([
    {
      ticket_hash: await sha256(token),
      purpose,
      user_id: user.user_id,
      client_id: clientId,
      request,
      created_at: now,
      expires_at: now + lifetime,
      consumed_at: null,
    },
  ]);
  return { token, requirements };
}

/**
 * Returns the requirements for the client. Auth0's SDKs refuse a challenge that `challenge` does not list, so it is
 * omitted if every enrolled factor is allowed. They need `enroll` if nothing is enrolled.
 */
function toRequirements(decision: PendingGrant["decision"]): MfaRequirements {
  return decision.kind === "enrol" ? { enroll: decision.types.map((type) => ({ type: toApiFactorType(type) })) } : {};
}

import * as z from "zod";
import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { factorKind, apiFactorTypeSchema, factorTypeSchema, toApiFactorType } from "../../model/factors/factor-types.ts";
import { PosternError, statusOfCode, type ErrorCode } from "../../errors.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import { tokenStatus } from "../../tokens/subject.ts";
import { accessColumns, accessColumnsSchema } from "../users/account-access.ts";
import type { FactorDecision, FactorDemand } from "./factor-policy.ts";
import type { FirstFactor, PassedFactor } from "./factor-uses.ts";
import { storedDemandSchema } from "./stored-demand.ts";

/** The purpose of `mfa_token`s among the tickets. */
const purpose = "mfa";

/** Lifetime of an `mfa_token` in milliseconds, as in Auth0. */
const lifetime = 10 * 60_000;

/**
 * The factors that a client may use to continue, as Auth0's `mfa_requirements`. `challenge` is omitted if every enrolled
 * factor is allowed.
 */
export const mfaRequirementsSchema = z
  .strictObject({
    challenge: z.array(z.strictObject({ type: apiFactorTypeSchema })).readonly(),
    enroll: z.array(z.strictObject({ type: apiFactorTypeSchema })).readonly(),
  })
  .exactPartial();

export type MfaRequirements = z.infer<typeof mfaRequirementsSchema>;

const errorCodeSchema = z.custom<ErrorCode>((code) => typeof code === "string" && code in statusOfCode);

/** The data of an `mfa_token` that is stored as JSON, in addition to the columns of its row. */
export const mfaRequestSchema = z.object({
  account_id: z.string(),
  connection_id: z.string(),
  method: z.enum(["pwd", "otp", "federated", "passkey"]),
  user_verified: z.boolean().exactOptional(),
  channels: z.array(z.string()).exactOptional(),
  /** The columns of the account that gave access to it. If one of them changes, the token is void. */
  access: accessColumnsSchema,
  scope: z.string().exactOptional(),
  audience: z.string().exactOptional(),
  organization: z.string().exactOptional(),
  gty: z.literal("password").exactOptional(),
  /** Not strict: a process of a later version may have added members. */
  requirements: mfaRequirementsSchema.strip(),
  /** When the user passed the first factor, in milliseconds since 1970. */
  authenticated_at: z.number(),
  /** The second factors that the user passed before this token was issued. */
  passed: z.array(z.object({ type: factorTypeSchema, at: z.number() })),
  /** The factors that Actions require. */
  demands: z.array(storedDemandSchema).readonly().exactOptional(),
  /** The id of the authenticator app that the user is adding with this token. */
  new_factor: z.string().exactOptional(),
  /**
   * Present if the token is an access token of the MFA API, with which the user adds a factor: its session and grant. If
   * one of them is revoked, the token is void.
   */
  access_token: z.object({ session_id: z.string(), grant_id: z.string() }).exactOptional(),
  /** Present if the token was used with a recovery code, so that the response can be repeated. */
  used_by_recovery: z
    .object({
      /** The tokens that were issued. Omitted if a further factor was required. */
      issued: z.object({ session_id: z.string(), grant_id: z.string(), refresh_token_id: z.string() }).exactOptional(),
      /** The error of the response, if the sign-in was refused: for example, by an Action. */
      refused: z.object({ error: errorCodeSchema, error_description: z.string() }).exactOptional(),
    })
    .exactOptional(),
});

export type MfaRequest = z.infer<typeof mfaRequestSchema>;

/** A user who passed the first factor at the token endpoint and must pass a second one. */
export interface PendingGrant {
  /** The primary account. */
  readonly user: Row<"users">;
  /** The account that was authenticated: the primary account, or one that is linked to it. */
  readonly account: Row<"users">;
  readonly connection: Row<"connections">;
  readonly first: FirstFactor;
  readonly decision: Exclude<FactorDecision, { kind: "sufficient" | "sign-in-again" }>;
  /** When the user passed the first factor, in milliseconds since 1970. Default: now. */
  readonly authenticatedAt?: number;
  /** The second factors that the user passed already. Default: none. */
  readonly passed?: readonly PassedFactor[];
  /** The factors that Actions require. Default: none, so that every enrolled factor is allowed. */
  readonly demands?: readonly FactorDemand[];
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
 * @returns the text of the token: the tenant's id, a dot and 43 random characters. Only a hash of the characters is
 * stored.
 */
export async function createMfaToken(
  context: DataContext,
  clientId: string,
  { user, account, connection, first, decision, authenticatedAt, passed = [], demands = [] }: PendingGrant,
  { scope, audience, organization, gty }: RequestedTokens,
): Promise<{ readonly token: string; readonly requirements: MfaRequirements }> {
  const secret = context.random.token(32);
  const now = context.now();
  const isRestricted = demands.some(({ types }) => types !== undefined);
  const requirements = toRequirements(decision, isRestricted);
  const request: MfaRequest = {
    account_id: account.user_id,
    connection_id: connection.id,
    method: first.method,
    ...(first.userVerified !== undefined && { user_verified: first.userVerified }),
    ...(first.channels !== undefined && { channels: [...first.channels] }),
    access: accessColumns(account),
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    ...(organization !== undefined && { organization }),
    ...(gty !== undefined && { gty }),
    requirements,
    authenticated_at: authenticatedAt ?? now,
    passed: [...passed],
    ...(demands.length > 0 && { demands }),
  };
  await context.data.tickets.insert([
    {
      ticket_hash: await sha256(secret),
      purpose,
      user_id: user.user_id,
      client_id: clientId,
      request,
      created_at: now,
      expires_at: now + lifetime,
      consumed_at: null,
    },
  ]);
  return { token: `${context.data.tenantId}.${secret}`, requirements };
}

/** An `mfa_token` that was found by its text. It may have expired. */
interface StoredMfaToken {
  readonly ticket: Row<"tickets">;
  readonly clientId: string;
}

/** A valid `mfa_token`. */
export interface OpenMfaToken {
  /** Identifies the token. The codes that are sent for it are bound to this value. */
  readonly hash: string;
  readonly clientId: string;
  /** The primary account. */
  readonly user: Row<"users">;
  /** The account that was authenticated: the primary account, or one that is linked to it. */
  readonly account: Row<"users">;
  readonly request: MfaRequest;
}

/** Whether a text has the form of an access token (a JWT), which the MFA API accepts in place of an `mfa_token`. */
export function isAccessTokenText(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

/**
 * Stores that the user adds a factor with an access token of the MFA API. The grants accept the access token as the
 * `mfa_token` that confirms the factor, for ten minutes and once for each addition.
 */
export async function storeFactorAddition(context: DataContext, { hash, clientId, user, request }: OpenMfaToken): Promise<void> {
  const now = context.now();
  const changed = { request, created_at: now, expires_at: now + lifetime, consumed_at: null };
  const ticket = { ticket_hash: hash, purpose, user_id: user.user_id, client_id: clientId, ...changed };
  if (await context.data.tickets.insert([ticket])) return;
  await context.data.tickets.update({ ticket_hash: hash, purpose, user_id: user.user_id }, { set: changed });
}

/** Returns the id of the tenant that an `mfa_token` names. The token is not verified. */
export function tenantOfMfaToken(text: string): string | undefined {
  const [tenantId, ...rest] = text.split(".");
  return rest.length === 1 ? tenantId : undefined;
}

/**
 * Returns a valid `mfa_token` of a client. It is void after it was used, after a change of the account's password,
 * email address or other sign-in identifiers, and after the user was blocked, linked or deleted.
 * @throws {PosternError} `invalid_grant` (403) if the token is unknown, `invalid_request` if it was issued to another
 * client, `expired_token` if it has expired or is void.
 */
export async function openMfaToken(context: DataContext, clientId: string, text: string): Promise<OpenMfaToken> {
  const stored = await findMfaToken(context, text);
  if (stored.clientId !== clientId) throw new PosternError("invalid_request", mfaTexts.otherClient);
  return openStoredMfaToken(context, stored);
}

/**
 * Finds an `mfa_token`, which may have expired.
 * @throws {PosternError} `invalid_grant` (403) if the tenant has not issued it.
 */
export async function findMfaToken(context: DataContext, text: string): Promise<StoredMfaToken> {
  const { data } = context;
  const isAccessToken = isAccessTokenText(text);
  const secret = isAccessToken ? text : text.slice(data.tenantId.length + 1);
  const isWellFormed = isAccessToken || (text.startsWith(`${data.tenantId}.`) && /^[\w-]{43}$/.test(secret));
  const ticket = isWellFormed ? await findOne(data.tickets, { ticket_hash: await sha256(secret), purpose }) : undefined;
  const clientId = ticket?.client_id ?? undefined;
  if (ticket === undefined || clientId === undefined) throw new PosternError("invalid_grant", mfaTexts.malformedToken, { status: 403 });
  return { ticket, clientId };
}

/** Opens a token as {@link openMfaToken}, for the client that it was issued to. @throws {PosternError} `expired_token`. */
export async function openStoredMfaToken(context: DataContext, stored: StoredMfaToken): Promise<OpenMfaToken> {
  const { ticket } = stored;
  if (ticket.consumed_at !== null || ticket.expires_at <= context.now()) throw expiredMfaToken();
  return requireUnchangedAccount(context, stored);
}

/** An `mfa_token` that was used with a recovery code. */
export interface UsedMfaToken extends OpenMfaToken {
  readonly usedAt: number;
  readonly usedByRecovery: UseByRecovery;
}

/** What a repeated response needs. */
export type UseByRecovery = NonNullable<MfaRequest["used_by_recovery"]>;

/**
 * Returns an `mfa_token` of a client that was used with a recovery code within the last ten minutes. Undefined if there is
 * none.
 * @throws {PosternError} `invalid_grant` (403) if the token is unknown; `expired_token` if it is void.
 */
export async function findUsedMfaToken(context: DataContext, clientId: string, text: string): Promise<UsedMfaToken | undefined> {
  const stored = await findMfaToken(context, text);
  const { consumed_at: usedAt, expires_at: expires } = stored.ticket;
  if (stored.clientId !== clientId || usedAt === null || expires <= context.now()) return undefined;
  const token = await requireUnchangedAccount(context, stored);
  const { used_by_recovery: usedByRecovery } = token.request;
  return usedByRecovery && { ...token, usedAt, usedByRecovery };
}

/**
 * Returns the content of a token.
 * @throws {PosternError} `expired_token` if the account changed, or if the session or the grant of the token was revoked.
 */
async function requireUnchangedAccount(context: DataContext, { ticket, clientId }: StoredMfaToken): Promise<OpenMfaToken> {
  const { data } = context;
  const request = mfaRequestSchema.parse(ticket.request);
  const ids = [...new Set([ticket.user_id, request.account_id])];
  const users = await data.users.find({ where: { user_id: { in: ids } }, limit: ids.length });
  const user = users.find(({ user_id: id }) => id === ticket.user_id);
  const account = users.find(({ user_id: id }) => id === request.account_id);
  if (user === undefined || account === undefined || user.blocked || account.blocked || user.linked_to !== "") throw expiredMfaToken();
  if (account !== user && account.linked_to !== user.user_id) throw expiredMfaToken();
  const { access, access_token: accessToken } = request;
  if (accessToken !== undefined) {
    const reference = { userId: user.user_id, sessionId: accessToken.session_id, grantId: accessToken.grant_id };
    if ((await tokenStatus(data, reference)).kind !== "live") throw expiredMfaToken();
  }
  const current = accessColumns(account);
  if (accessColumnsSchema.keyof().options.some((column) => current[column] !== access[column])) throw expiredMfaToken();
  return { hash: ticket.ticket_hash, clientId, user, account, request };
}

/**
 * Marks an `mfa_token` as used. Call this function before tokens are issued.
 * @param usedByRecovery present if a recovery code was used. The response can then be repeated for ten minutes.
 * @returns `true` if this call marked it: of parallel calls, only one does.
 */
export async function consumeMfaToken(
  context: DataContext,
  { hash, request }: Pick<OpenMfaToken, "hash" | "request">,
  usedByRecovery?: UseByRecovery,
): Promise<boolean> {
  const now = context.now();
  const guard = { ticket_hash: hash, purpose, consumed_at: null, expires_at: { gt: now } };
  const repeatable = usedByRecovery && { request: { ...request, used_by_recovery: usedByRecovery }, expires_at: now + lifetime };
  return (await context.data.tickets.update(guard, { set: { consumed_at: now, ...repeatable } })) === 1;
}

/**
 * Stores that a sign-in with a recovery code was refused after the `mfa_token` was used, so that the repeated request gets
 * the same error. If the error has an `mfa_token`, only the factors are stored that Actions require: the repeated request
 * gets another token for them.
 */
export async function storeRefusal(context: DataContext, { hash, clientId, request }: OpenMfaToken, refusal: PosternError): Promise<void> {
  const { mfa_token: next } = refusal.members;
  const { demands } = typeof next === "string" ? (await openMfaToken(context, clientId, next)).request : {};
  const used: UseByRecovery = demands === undefined ? { refused: { error: refusal.code, error_description: refusal.message } } : {};
  const set = { request: { ...request, ...(demands && { demands }), used_by_recovery: used } };
  await context.data.tickets.update({ ticket_hash: hash, purpose }, { set });
}

/** Stores which authenticator app the user is adding with an `mfa_token`. It replaces an earlier one. */
export async function storeNewFactor(context: DataContext, { hash, request }: OpenMfaToken, factorId: string): Promise<void> {
  const set = { request: { ...request, new_factor: factorId } };
  await context.data.tickets.update({ ticket_hash: hash, purpose, consumed_at: null }, { set });
}

/** Creates the error for a token that has expired, was used or is void. The user must sign in again. */
export function expiredMfaToken(): PosternError {
  return new PosternError("expired_token", mfaTexts.expiredToken);
}

/**
 * Returns the requirements for the client. Auth0's SDKs refuse a challenge that `challenge` does not list, so it is
 * omitted if every enrolled factor is allowed. They need `enroll` if nothing is enrolled.
 */
function toRequirements(decision: PendingGrant["decision"], isRestricted: boolean): MfaRequirements {
  if (decision.kind === "unmet") return {};
  const types = decision.types
    .filter((type) => factorKind(type).authenticator !== undefined)
    .map((type) => ({ type: toApiFactorType(type) }));
  if (decision.kind === "enroll") return { enroll: types };
  return isRestricted ? { challenge: types } : {};
}

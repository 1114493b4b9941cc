import * as z from "zod";
import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import { UpstreamError } from "../../identity/providers/upstream-error.ts";
import { storesTokens, upstreamTokensSchema } from "../../identity/providers/upstream-tokens.ts";
import type { SealedPlace } from "../../store/sealed.ts";
import { reportUpstreamFailure } from "../../tenants/upstream-failure.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { changeProgress, findLogin, isOpen, type LoginSession } from "../login-session.ts";
import { loginProgressSchema, type LoginProgress } from "../progress.ts";
import { identify } from "./identify.ts";
import { upstreamProfileSchema, type StoredAttempt } from "./progress.ts";
import { loginStateOf } from "./redirect-to-provider.ts";

/**
 * Some providers send their response as a form. A browser may not send its cookies with a form from another site, so the
 * form is verified at once, and the result is stored with the attempt. The browser is then redirected to the same URL,
 * which checks the cookie before the result counts.
 */

/** How long the result of a form can be used, in milliseconds. */
const lifetime = 2 * 60_000;

/** Why a form was refused, or the user in it. */
const resultSchema = z.union([
  z.object({ fault: z.enum(["declined", "failed"]) }),
  z.object({ profile: upstreamProfileSchema, tokens: upstreamTokensSchema.optional(), authenticatedAt: z.number().optional() }),
]);

export type PostedResult = z.infer<typeof resultSchema>;

const storedSchema = z.object({
  /** Milliseconds since 1970. */
  expires_at: z.number(),
  result: resultSchema,
});

/** How often, and after how many milliseconds each, a refused form looks for the result of a parallel one. */
const looks = { count: 40, pause: 50 } as const;

/**
 * Verifies a form from an identity provider, and stores the result with the attempt. Does nothing if no open login has
 * the attempt, or if the attempt has a result.
 */
export async function receiveForm(tenant: RequestTenant, state: string, received: URLSearchParams): Promise<void> {
  const login = await findLogin(tenant, loginStateOf(state));
  if (login === undefined || !isOpen(tenant, login)) return;
  const progress = loginProgressSchema.parse(login.progress);
  const hash = await sha256(state);
  const attempt = attemptIn(progress, hash);
  if (attempt === undefined || attempt.response !== undefined) return;
  const connection = await tenant.connections.byId(attempt.connection_id);
  if (connection === undefined) return;
  try {
    const { profile, tokens, authenticatedAt } = await identify(tenant, connection, { state, received, isForm: true });
    await store({ tenant, login, progress }, hash, { profile, tokens: storesTokens(connection) ? tokens : undefined, authenticatedAt });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    // The provider accepts a code once: a user who clicked twice there posts it twice.
    if (error.details?.step === "token" && (await wasHandled(tenant, state, hash))) return;
    const client = await tenant.client(login.client_id);
    if (client !== undefined) await reportUpstreamFailure(tenant, client, connection, error);
    await store({ tenant, login, progress }, hash, { fault: error.fault === "declined" ? "declined" : "failed" });
  }
}

/** Returns the attempt with this hash of the state. */
export function attemptIn({ upstream }: LoginProgress, hash: string): StoredAttempt | undefined {
  return upstream?.find((stored) => equalInConstantTime(stored.state_hash, hash));
}

function isAccepted({ response }: StoredAttempt): boolean {
  return response !== undefined && response.is_refused !== true;
}

/** Stores the result of a form. A refusal never replaces the result of an accepted form. */
async function store(
  owner: { readonly tenant: RequestTenant; readonly login: LoginSession; readonly progress: LoginProgress },
  hash: string,
  result: PostedResult,
): Promise<void> {
  const { tenant, login } = owner;
  await changeProgress<{ readonly progress?: LoginProgress }, typeof owner>(owner, async ({ progress }) => {
    const attempt = attemptIn(progress, hash);
    if (attempt === undefined || isAccepted(attempt)) return {};
    const sealed = await sealResult(tenant, login, attempt.connection_id, result);
    const answered = { ...attempt, response: { sealed, ...("fault" in result && { is_refused: true as const }) } };
    return { progress: { ...progress, upstream: (progress.upstream ?? []).map((open) => (open === attempt ? answered : open)) } };
  });
}

/** Whether a parallel submission of the form was accepted. Waits for up to two seconds. */
async function wasHandled(tenant: RequestTenant, state: string, hash: string): Promise<boolean> {
  for (let look = 0; look < looks.count; look++) {
    const login = await findLogin(tenant, loginStateOf(state));
    const attempt = login && attemptIn(loginProgressSchema.parse(login.progress), hash);
    if (attempt === undefined || isAccepted(attempt)) return true;
    await tenant.host.wait(looks.pause);
  }
  return false;
}

/** The result belongs to one login session and one connection. */
function placeOf({ data }: RequestTenant, { id }: LoginSession, connectionId: string): SealedPlace {
  return { tenantId: data.tenantId, collection: "login_sessions", id: `${id}/${connectionId}`, field: "progress#upstream" };
}

function sealResult(tenant: RequestTenant, login: LoginSession, connectionId: string, result: PostedResult): Promise<string> {
  const stored: z.infer<typeof storedSchema> = { expires_at: tenant.now() + lifetime, result };
  return tenant.secrets.sealer.seal(placeOf(tenant, login, connectionId), JSON.stringify(stored));
}

/**
 * Returns the result of a form that was posted.
 * @throws {UpstreamError} if the form was posted more than two minutes ago.
 */
export async function openResult(
  tenant: RequestTenant,
  login: LoginSession,
  { connection_id: connectionId, response }: StoredAttempt & { readonly response: { readonly sealed: string } },
): Promise<PostedResult> {
  const text = await tenant.secrets.sealer.open(placeOf(tenant, login, connectionId), response.sealed);
  const { expires_at: end, result } = storedSchema.parse(JSON.parse(text));
  if (end <= tenant.now()) throw new UpstreamError("failed", "the form of the provider was posted more than two minutes ago");
  return result;
}

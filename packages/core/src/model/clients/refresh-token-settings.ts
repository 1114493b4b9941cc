import * as z from "zod";
import { invalidBody, storedOnly } from "../settings.ts";

const flag = z.boolean();
const seconds = z.int().min(1).max(157_788_000);

/** Seconds: longer than any lost answer takes to be asked for again, and too short for whoever finds a token in a log. */
const longestLeeway = 60;

/** Seconds: seven days. */
const longestRecovery = 604_800;

const refreshToken = {
  rotation_type: z.enum(["rotating", "non-rotating"]),
  expiration_type: z.enum(["expiring", "non-expiring"]),
  leeway: z.int().min(0).meta({ description: "Seconds in which the previous token still works" }),
  token_lifetime: seconds,
  infinite_token_lifetime: flag,
  idle_token_lifetime: seconds,
  infinite_idle_token_lifetime: flag,
  recovery_window: z
    .int()
    .min(0)
    .meta({ description: "Seconds in which a rotated token yields a new successor, while its first one was never used; 0: never" }),
};

const policies = storedOnly(
  z.array(z.strictObject({ audience: z.string().min(1).max(600), scope: z.array(z.string().min(1).max(280)) })).min(1),
)
  .nullable()
  .exactOptional();

/** How a client's refresh tokens live, complete. */
export const RefreshTokenSettings = z.strictObject({ ...refreshToken, policies });

const { rotation_type, expiration_type, ...lives } = refreshToken;

const optionalInBody = z
  .object({ ...lives, leeway: lives.leeway.max(longestLeeway), recovery_window: lives.recovery_window.max(longestRecovery) })
  .exactPartial().shape;

/** The same in a body: both types, and whatever else the caller wants to say. */
export const RefreshTokenBody = z
  .strictObject({ rotation_type, expiration_type, ...optionalInBody, policies })
  .superRefine((value, context) => {
    if (value.rotation_type === "rotating" && value.expiration_type !== "expiring") {
      context.addIssue({ code: "custom", path: ["expiration_type"], message: "must be expiring where rotation_type is rotating" });
    }
  });

export type RefreshTokenSettings = z.infer<typeof RefreshTokenSettings>;
export type RefreshTokenBody = z.infer<typeof RefreshTokenBody>;

/** As far as refresh tokens go by who holds them. */
export interface TokenHolder {
  readonly token_endpoint_auth_method: string;
  readonly app_type: string;
}

type Types = Pick<RefreshTokenSettings, "rotation_type" | "expiration_type">;

const rotating = { rotation_type: "rotating", expiration_type: "expiring" } as const satisfies Types;

/** What of the settings follows from the types, where nobody says more. */
function followingFrom({ rotation_type, expiration_type }: Types) {
  const infinite = expiration_type === "non-expiring";
  return {
    // A lost answer must not log anybody out: for so long the previous token yields the same successor.
    leeway: rotation_type === "rotating" ? 30 : 0,
    infinite_token_lifetime: infinite,
    infinite_idle_token_lifetime: infinite,
  };
}

/** Seconds: a phone that lost an answer comes back tomorrow; what lies in a browser is in more hands, and whoever looks at it is there to sign in again. */
const recoveryWindows = { spa: 900, other: 86_400 };

/** How refresh tokens of a new client live. */
export function defaultRefreshToken({ token_endpoint_auth_method: method, app_type: appType }: TokenHolder): RefreshTokenSettings {
  const types = isPublic(method) ? rotating : ({ rotation_type: "non-rotating", expiration_type: "non-expiring" } as const);
  return {
    ...types,
    ...followingFrom(types),
    token_lifetime: 2_592_000,
    idle_token_lifetime: 1_296_000,
    recovery_window: appType === "spa" ? recoveryWindows.spa : recoveryWindows.other,
  };
}

/** True for the method of a client that proves itself by nothing (RFC 6749 section 2.1), whatever type of application it is. */
export function isPublic(authenticationMethod: string): boolean {
  return authenticationMethod === "none";
}

/**
 * Settings as they hold for a client, whatever was stored before it became what it is. Tokens of a public client rotate and expire: nothing else
 * binds them to it (RFC 9700 section 4.14.2), since no token here is bound to a key of its holder.
 */
export function refreshTokenOf(holder: TokenHolder, stored: RefreshTokenSettings = defaultRefreshToken(holder)): RefreshTokenSettings {
  if (!isPublic(holder.token_endpoint_auth_method)) return stored;
  const settings = stored.rotation_type === "rotating" ? stored : { ...stored, ...rotating, ...followingFrom(rotating) };
  return neverExpires(settings) ? { ...settings, infinite_idle_token_lifetime: false } : settings;
}

function neverExpires({ infinite_token_lifetime: absolute, infinite_idle_token_lifetime: idle }: RefreshTokenSettings): boolean {
  return absolute && idle;
}

/**
 * Refresh token settings after a change: what was not sent stays.
 * With other types, whatever follows from the types and was not sent follows the new ones: tokens that were infinite would otherwise never expire.
 * @throws {PosternError} `invalid_request` where the client is public and its tokens would not rotate, or never expire.
 */
export function changeRefreshToken(holder: TokenHolder, stored: RefreshTokenSettings, body: RefreshTokenBody): RefreshTokenSettings {
  const sameTypes = stored.rotation_type === body.rotation_type && stored.expiration_type === body.expiration_type;
  const changed = { ...stored, ...(!sameTypes && followingFrom(body)), ...body };
  if (!isPublic(holder.token_endpoint_auth_method)) return changed;
  if (changed.rotation_type !== "rotating") throw invalidBody("'refresh_token.rotation_type' must be rotating for a public client");
  if (neverExpires(changed)) {
    throw invalidBody("'refresh_token.infinite_idle_token_lifetime' must be false for a public client whose tokens have no other end");
  }
  return changed;
}

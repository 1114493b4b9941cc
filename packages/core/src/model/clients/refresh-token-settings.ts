import * as z from "zod";
import { storedOnly } from "../settings.ts";

const flag = z.boolean();
const seconds = z.int().min(1).max(157_788_000);

/**
 * Maximum leeway in seconds. It is long enough to retry a refresh whose response was lost, but too short for an
 * attacker who finds a token in a log.
 */
const maximumLeeway = 60;

/** Maximum recovery window in seconds: seven days. */
const maximumRecovery = 604_800;

const publicRule = "The refresh tokens of a public client rotate and expire, also if another type is stored";

const refreshToken = {
  rotation_type: z.enum(["rotating", "non-rotating"]).meta({ description: publicRule }),
  expiration_type: z.enum(["expiring", "non-expiring"]).meta({ description: publicRule }),
  leeway: z.int().min(0).meta({ description: "Seconds during which the previous token can still be exchanged" }),
  token_lifetime: seconds,
  infinite_token_lifetime: flag,
  idle_token_lifetime: seconds,
  infinite_idle_token_lifetime: flag,
  recovery_window: z.int().min(0).meta({
    description: "Seconds during which a rotated token can be exchanged again if its successor was never used. 0 disables this",
  }),
};

const policies = storedOnly(
  z.array(z.strictObject({ audience: z.string().min(1).max(600), scope: z.array(z.string().min(1).max(280)) })).min(1),
)
  .nullable()
  .exactOptional();

/** The complete refresh token settings of a client. */
export const refreshTokenSettingsSchema = z.strictObject({ ...refreshToken, policies });

const { rotation_type, expiration_type, ...lives } = refreshToken;

const optionalInBody = z
  .object({ ...lives, leeway: lives.leeway.max(maximumLeeway), recovery_window: lives.recovery_window.max(maximumRecovery) })
  .exactPartial().shape;

/** The refresh token settings in a body: both types are required, all other fields are optional. */
export const refreshTokenBodySchema = z
  .strictObject({ rotation_type, expiration_type, ...optionalInBody, policies })
  .superRefine((value, context) => {
    if (value.rotation_type === "rotating" && value.expiration_type !== "expiring") {
      context.addIssue({ code: "custom", path: ["expiration_type"], message: "must be expiring if rotation_type is rotating" });
    }
  })
  .meta({
    if: { properties: { rotation_type: { const: "rotating" } } },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { properties: { expiration_type: { const: "expiring" } } },
  });

export type RefreshTokenSettings = z.infer<typeof refreshTokenSettingsSchema>;
export type RefreshTokenBody = z.infer<typeof refreshTokenBodySchema>;

/** The fields of a client that affect its refresh tokens. */
export interface TokenHolder {
  readonly token_endpoint_auth_method: string;
  readonly app_type: string;
}

type Types = Pick<RefreshTokenSettings, "rotation_type" | "expiration_type">;

const rotating = { rotation_type: "rotating", expiration_type: "expiring" } as const satisfies Types;

/** Returns the defaults that depend on the rotation type and the expiration type. */
function followingFrom({ rotation_type, expiration_type }: Types) {
  const infinite = expiration_type === "non-expiring";
  return {
    // A lost response must not sign the user out. Within the leeway, the previous token returns the same successor.
    leeway: rotation_type === "rotating" ? 30 : 0,
    infinite_token_lifetime: infinite,
    infinite_idle_token_lifetime: infinite,
  };
}

/**
 * Default recovery windows, in seconds. A phone may retry a lost response a day later. In a browser, tokens are more
 * exposed, but the user is present and can sign in again.
 */
const recoveryWindows = { spa: 900, other: 86_400 };

/** Returns the refresh token settings of a new client. */
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

/**
 * Returns `true` if a client with this authentication method is a public client (RFC 6749 section 2.1). The
 * application type does not matter.
 */
export function isPublic(authenticationMethod: string): boolean {
  return authenticationMethod === "none";
}

/**
 * Returns the effective refresh token settings of a client. The tokens of a public client must rotate and expire
 * (RFC 9700 section 4.14.2), because Postern does not bind tokens to a key that the client holds. Other settings are
 * stored without effect, because Auth0's tools send Auth0's defaults for public clients: tokens that do neither.
 */
export function refreshTokenOf(holder: TokenHolder, stored: RefreshTokenSettings): RefreshTokenSettings {
  if (!isOverridden(holder, stored)) return stored;
  const settings = stored.rotation_type === "rotating" ? stored : { ...stored, ...rotating, ...followingFrom(rotating) };
  return neverExpires(settings) ? { ...settings, infinite_idle_token_lifetime: false } : settings;
}

/** Returns `true` if {@link refreshTokenOf} differs from the stored settings. */
export function isOverridden(holder: TokenHolder, stored: RefreshTokenSettings): boolean {
  return isPublic(holder.token_endpoint_auth_method) && (stored.rotation_type !== "rotating" || neverExpires(stored));
}

function neverExpires({ infinite_token_lifetime: absolute, infinite_idle_token_lifetime: idle }: RefreshTokenSettings): boolean {
  return absolute && idle;
}

/**
 * Returns the refresh token settings after an update. Omitted settings stay unchanged. If the types change, omitted
 * settings that depend on the types get the defaults for the new types. Otherwise tokens that did not expire before
 * would never expire.
 */
export function changeRefreshToken(stored: RefreshTokenSettings, body: RefreshTokenBody): RefreshTokenSettings {
  const sameTypes = stored.rotation_type === body.rotation_type && stored.expiration_type === body.expiration_type;
  return { ...stored, ...(!sameTypes && followingFrom(body)), ...body };
}

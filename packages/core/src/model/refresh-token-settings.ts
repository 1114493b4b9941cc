import * as z from "zod";

const flag = z.boolean();
const seconds = z.int().min(1).max(157_788_000);

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
    .max(157_788_000)
    .meta({ description: "Seconds in which a rotated token yields a new successor, while its first one was never used; 0: never" }),
};

const policies = z
  .array(z.strictObject({ audience: z.string().min(1).max(600), scope: z.array(z.string().min(1).max(280)) }))
  .min(1)
  .nullable()
  .exactOptional();

/** How a client's refresh tokens live, complete. */
export const RefreshTokenSettings = z.strictObject({ ...refreshToken, policies });

const { rotation_type, expiration_type, ...optionalOfRefreshToken } = refreshToken;

/** The same in a body: both types, and whatever else the caller wants to say. */
export const RefreshTokenBody = z
  .strictObject({ rotation_type, expiration_type, ...z.object(optionalOfRefreshToken).exactPartial().shape, policies })
  .superRefine((value, context) => {
    if (value.rotation_type === "rotating" && value.expiration_type !== "expiring") {
      context.addIssue({ code: "custom", path: ["expiration_type"], message: "must be expiring where rotation_type is rotating" });
    }
  });

export type RefreshTokenSettings = z.infer<typeof RefreshTokenSettings>;
export type RefreshTokenBody = z.infer<typeof RefreshTokenBody>;

const lifetimes = { token_lifetime: 2_592_000, idle_token_lifetime: 1_296_000, recovery_window: 86_400 };

/** How refresh tokens of these types live where nobody says more. */
function refreshTokenDefaults(types: Pick<RefreshTokenBody, "rotation_type" | "expiration_type">): RefreshTokenSettings {
  const infinite = types.expiration_type === "non-expiring";
  return {
    ...types,
    ...lifetimes,
    // A lost answer must not log anybody out: for so long the previous token yields the same successor.
    leeway: types.rotation_type === "rotating" ? 30 : 0,
    infinite_token_lifetime: infinite,
    infinite_idle_token_lifetime: infinite,
  };
}

/** How refresh tokens of a new client live. Public clients rotate: nothing else binds the token to them (RFC 9700 section 4.14.2). */
export function defaultRefreshToken(appType: string): RefreshTokenSettings {
  return isPublic(appType)
    ? refreshTokenDefaults({ rotation_type: "rotating", expiration_type: "expiring" })
    : refreshTokenDefaults({ rotation_type: "non-rotating", expiration_type: "non-expiring" });
}

/** True for the types of application that cannot keep a secret. */
export function isPublic(appType: string): boolean {
  return appType === "spa" || appType === "native";
}

/**
 * Refresh token settings after a change: what was not sent stays.
 * With other types, whatever follows from the types and was not sent follows the new ones: tokens that were infinite would otherwise never expire.
 */
export function changeRefreshToken(stored: RefreshTokenSettings, body: RefreshTokenBody): RefreshTokenSettings {
  const sameTypes = stored.rotation_type === body.rotation_type && stored.expiration_type === body.expiration_type;
  const { leeway: _leeway, infinite_token_lifetime: _infinite, infinite_idle_token_lifetime: _infiniteIdle, ...kept } = stored;
  return { ...(sameTypes ? stored : { ...refreshTokenDefaults(body), ...kept }), ...body };
}

import * as z from "zod";

const namesSchema = z.array(z.string());

/**
 * Names of the claims that the `claims` parameter requests (OpenID Connect Core section 5.5). They apply to all tokens
 * that result from the request, including tokens from later refreshes. So does `acr`, the authentication context class
 * of the login: a later step-up in the same session does not change the tokens of an earlier login.
 */
export const requestedClaimsSchema = z.object({ userinfo: namesSchema, idToken: namesSchema, acr: z.string().exactOptional() });

export type RequestedClaims = z.infer<typeof requestedClaimsSchema>;

/** The requested claims of a request without a `claims` parameter. */
export const noClaims: RequestedClaims = { userinfo: [], idToken: [] };

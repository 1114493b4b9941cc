import * as z from "zod";

const Names = z.array(z.string());

/** Names of claims that the `claims` parameter asked for (OpenID Connect Core section 5.5). They hold for all that the request gives: for its code, and through every refresh. */
export const RequestedClaims = z.object({ userinfo: Names, idToken: Names });

export type RequestedClaims = z.infer<typeof RequestedClaims>;

/** What a request asks for that has no such parameter. */
export const noClaims: RequestedClaims = { userinfo: [], idToken: [] };

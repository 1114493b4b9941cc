import type { Tokens } from "./provider.ts";
import type { AccessTokenOptions } from "./session-options.ts";
import type { Content, OtherToken, TokenTarget } from "./session.ts";

/** Maximum number of access tokens in a session, besides that of the sign-in. */
const maximumOtherTokens = 10;

/** An access token in a session. */
export type HeldToken = Pick<OtherToken, "accessToken" | "accessEnds" | "organizationId">;

/** Returns what differs between a requested token and the token of the sign-in. */
export function targetOf(
  { claims }: Content,
  { audience, organization }: AccessTokenOptions,
  configuredAudience: string | undefined,
): TokenTarget {
  return {
    ...(audience !== undefined && audience !== configuredAudience && { audience }),
    ...(organization !== undefined && organization !== claims["org_id"] && { organization }),
  };
}

/** Whether a target is the API and the organization of the sign-in. */
export function isOfSignIn({ audience, organization }: TokenTarget): boolean {
  return audience === undefined && organization === undefined;
}

/** Returns the access token for a target, which may have expired. */
export function heldTokenFor(content: Content, target: TokenTarget): HeldToken | undefined {
  return isOfSignIn(target) ? content : content.otherTokens?.find((token) => isSameTarget(token, target));
}

/** Returns a session with another access token for a target. If it has too many then, the oldest is removed. */
export function withToken(content: Content, target: TokenTarget, { accessToken, accessEnds, organizationId }: HeldToken): Content {
  if (isOfSignIn(target)) return { ...content, accessToken, accessEnds };
  const others = (content.otherTokens ?? []).filter((token) => !isSameTarget(token, target));
  const added = { ...target, accessToken, accessEnds, ...(organizationId !== undefined && { organizationId }) };
  return { ...content, otherTokens: [...others, added].slice(-maximumOtherTokens) };
}

/** @param now seconds since 1970. */
export function toHeldToken({ accessToken, expiresIn, claims }: Tokens, now: number): HeldToken {
  const organizationId = claims?.["org_id"];
  return { accessToken, accessEnds: now + expiresIn, ...(typeof organizationId === "string" && { organizationId }) };
}

function isSameTarget(a: TokenTarget, b: TokenTarget): boolean {
  return a.audience === b.audience && a.organization === b.organization;
}

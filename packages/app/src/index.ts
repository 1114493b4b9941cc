export type { AcrValue, AuthenticationRequirements } from "./requirements.ts";
export { acrValues } from "./requirements.ts";
export type { Session } from "./session.ts";
export type { Exchange, SessionOptions, SessionPaths, Sessions, SignInOptions } from "./session-options.ts";
export { createSessions } from "./sessions.ts";
export { SignInError } from "./sign-in-error.ts";
export type { Service, ServiceSource } from "./service-source.ts";
export type { AccessTokenClaims, TokenCheck, TokenCheckOptions, TokenRequirements } from "./token-check.ts";
export { createTokenCheck, TokenError } from "./token-check.ts";

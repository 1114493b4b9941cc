export type { Cookies } from "./cookies.ts";
export type { Exchange, Session, SessionOptions, SessionPaths, Sessions, SignInOptions } from "./sessions.ts";
export { createSessions } from "./sessions.ts";
export { SignInError } from "./sign-in-error.ts";
export type { Service, ServiceSource } from "./service-source.ts";
export type { AccessTokenClaims, TokenCheck, TokenCheckOptions } from "./token-check.ts";
export { createTokenCheck, TokenError } from "./token-check.ts";

export type { HonoHandlerOptions } from "./hono.ts";
export { toHonoHandler } from "./hono.ts";
export { toHonoRootHandler } from "./root.ts";
export type { HonoRequireSession, HonoSessions, SessionVariables } from "./session.ts";
export { toHonoSessions } from "./session.ts";
export type { TokenVariables } from "./token.ts";
export { requireToken, resourceMetadata } from "./token.ts";

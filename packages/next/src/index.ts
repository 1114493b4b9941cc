export type { AppLocation } from "./requested-url.ts";
export type { NextHandler, NextHandlerOptions, NextHandlers } from "./next.ts";
export { toNextHandlers } from "./next.ts";
export type { OpenService } from "./service.ts";
export { toNextRootHandlers } from "./root.ts";
export type { NextCookie, NextFunctions, NextSessions } from "./session.ts";
export { toNextSessions } from "./session.ts";

export type { ExpressHandler, ExpressRequest } from "./express.ts";
export { toExpressHandler } from "./express.ts";
export { toNodeHandler } from "./node.ts";
export { toExpressRootHandler } from "./root.ts";
export type { ExpressRequireSession, ExpressSessions } from "./session.ts";
export { toExpressSessions } from "./session.ts";
export type { RequireToken } from "./token.ts";
export { requireToken, resourceMetadata } from "./token.ts";

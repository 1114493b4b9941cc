export type { ExpressHandler, ExpressRequest, Service } from "./express.ts";
export { toExpressHandler } from "./express.ts";
export { toNodeHandler } from "./node.ts";

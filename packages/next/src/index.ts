export type { NextHandler, NextHandlerOptions, NextHandlers, Service } from "./next.ts";
export { toNextHandlers } from "./next.ts";

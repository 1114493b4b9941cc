export type { HonoHandlerOptions, Service } from "./hono.ts";
export { toHonoHandler } from "./hono.ts";

export { run, type Terminal } from "./run.ts";
export type { OpenedService, PosternConfig } from "./config.ts";

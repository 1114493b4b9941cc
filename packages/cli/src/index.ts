export { run, type Terminal } from "./run.ts";
export type { Opened, PosternConfig } from "./config.ts";

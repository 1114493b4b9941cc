export type { Admin } from "./admin.ts";
export { createAdmin } from "./admin.ts";
export type { AdminFinding, AdminOptions } from "./admin-options.ts";
export { consoleScopes } from "./console-scopes.ts";

export { isolationCases, type IsolationCase, type IsolationOptions } from "./isolation-cases.ts";
export type { Message, TenantAccess } from "./tenant-access.ts";

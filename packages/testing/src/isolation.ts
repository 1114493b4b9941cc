export { createIsolationCases, type IsolationCase, type IsolationOptions } from "./isolation/isolation-cases.ts";
export type { Fetch, SentMessage, TenantAccess } from "./isolation/tenant-access.ts";

/** The APIs that have an OpenAPI document. The table of all APIs is in server/apis.ts. */
export type ApiName = "management" | "auth" | "my-account";

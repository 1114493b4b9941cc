/**
 * Which folder or file of packages/core/src may import which. A folder may import itself and the entries listed for it.
 * The lint rule and the documents read this table. An entry that is missing here is rejected by lint.
 */

const foundations = ["errors.ts", "store", "adapters", "locales", "model"];
const shared = [...foundations, "crypto", "process-state", "http", "options.ts", "context.ts"];
const rules = [...shared, "logs", "tokens", "identity"];
const tenants = [...rules, "tenants"];
const messages = [...tenants, "branding", "messages", "authorization"];
const endpoints = [...messages, "login", "oauth", "management"];
const requests = [...endpoints, "server"];

export const floors: Readonly<Record<string, readonly string[]>> = {
  "index.ts": [...requests, "doctor", "operations", "postern.ts"],
  "adapter.ts": ["store", "adapters"],
  "testing.ts": ["adapters", "options.ts"],
  "postern.ts": [...requests, "check-options.ts", "operations", "doctor"],
  doctor: [...tenants, "server"],
  operations: requests,
  server: endpoints,
  oauth: [...messages, "login"],
  management: [...messages, "login"],
  login: messages,
  messages: [...tenants, "branding"],
  authorization: tenants,
  branding: foundations,
  tenants: rules,
  identity: [...shared, "logs", "tokens"],
  tokens: [...shared, "logs"],
  logs: shared,
  "check-options.ts": rules,
  "context.ts": [...foundations, "crypto", "process-state"],
  crypto: foundations,
  "process-state": foundations,
  http: [...foundations, "options.ts"],
  "options.ts": foundations,
  model: ["errors.ts", "store", "adapters", "locales"],
  adapters: ["errors.ts", "store"],
  store: ["errors.ts"],
  locales: [],
  "errors.ts": [],
};

/** Data that is not bound to a tenant: a file that can import it can read every tenant's rows. */
export const unscoped = {
  file: /^tenants\/installation\.ts$/,
  importers: ["tenants", "postern.ts", "doctor", "server", "operations"],
};

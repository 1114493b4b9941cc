/**
 * Who may import whom inside packages/core/src. An entry of the folder is a floor; it may import itself and what is listed beside it.
 * This table is the only place that knows: the lint rule reads it, and a folder that is missing here is refused.
 */

const ground = ["errors.ts", "data", "adapters", "locales", "model"];
const rules = [...ground, "domain"];
const tenants = [...rules, "http", "tenancy"];
const messages = [...tenants, "look", "issuing", "mail"];
const pages = [...messages, "login"];
const endpoints = [...pages, "auth", "management"];

export const floors: Readonly<Record<string, readonly string[]>> = {
  "index.ts": [...endpoints, "handler", "in-process", "seeding", "setup", "postern.ts"],
  "postern.ts": [...endpoints, "routing.ts", "handler", "in-process", "seeding", "setup"],
  setup: [...tenants, "routing.ts", "handler"],
  seeding: [...endpoints, "in-process"],
  "in-process": [...endpoints, "handler"],
  handler: [...endpoints, "routing.ts"],
  "routing.ts": endpoints,
  auth: pages,
  management: pages,
  login: messages,
  issuing: tenants,
  mail: [...tenants, "look"],
  tenancy: [...rules, "http"],
  domain: ground,
  look: ground,
  http: ground,
  model: ["errors.ts", "data", "adapters", "locales"],
  adapters: ["errors.ts", "data"],
  data: ["errors.ts"],
  locales: [],
  "errors.ts": [],
};

/** Data that is not bound to a tenant: whoever can import it can read every tenant's rows. */
export const unscoped = {
  file: /^tenancy\/installation\.ts$/,
  importers: ["tenancy", "postern.ts", "handler", "in-process", "seeding", "setup"],
};

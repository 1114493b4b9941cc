/**
 * The folders and files of packages/core/src, from the top layer to the bottom: their content, and the folders that
 * each may import. A folder may always import itself. Lint rejects every other import, and every folder that this table
 * does not list. CONTRIBUTING.md contains this table.
 */

/** A folder of packages/core/src, or a file directly below it. */
interface Floor {
  readonly holds: string;
  /** The folders and files that it may import. */
  readonly imports: readonly string[];
}

const foundations = ["errors.ts", "store", "adapters", "locales", "model", "telemetry"];
const shared = [...foundations, "crypto", "process-state", "http", "context.ts"];
const rules = [...shared, "logs", "tokens", "identity"];
const tenants = [...rules, "tenants"];
const pages = [...tenants, "branding", "messages", "authorization"];
const endpoints = [...pages, "login", "oauth", "hosted", "my-account", "management"];
const requests = [...endpoints, "server"];

export const floors: Readonly<Record<string, Floor>> = {
  "index.ts": { holds: "the entry `@postern/core` for hosts", imports: [...requests, "setup", "operations", "postern.ts"] },
  "adapter.ts": { holds: "the entry `@postern/core/adapter` for authors of data adapters", imports: ["store", "adapters"] },
  "testing.ts": { holds: "the entry `@postern/core/testing` for tests", imports: ["adapters", "setup"] },
  "glue.ts": { holds: "the entry `@postern/core/glue` for authors of framework integrations", imports: ["http", "server", "postern.ts"] },
  "postern.ts": {
    holds: "`createPostern`: builds one installation from the options",
    imports: [...requests, "operations", "setup"],
  },
  setup: {
    holds: "the options and their zod schema, warnings about the setup, `postern.doctor()` and `postern.ready()`: one type of finding",
    imports: [...tenants, "server"],
  },
  operations: {
    holds: "the functions that the host calls: seed, sweep, and the in-process API with its generated types",
    imports: requests,
  },
  server: {
    holds: "the handling of a request, in order: `handler.ts`, `handle-request.ts`, routing, authentication of callers, CORS, errors",
    imports: endpoints,
  },
  hosted: {
    holds:
      "the hosted pages: `universal-login/` the endpoints of the login, `links/` the links in mails, `account/` the pages of a signed-in user",
    imports: [...pages, "login", "oauth"],
  },
  "my-account": {
    holds: "the My Account API, with which signed-in users change their own account, a file or folder per resource",
    imports: [...pages, "login", "oauth"],
  },
  oauth: {
    holds: "the protocol of the Authentication API, a file per endpoint; `authorize/` with its checks, `token/` a file per grant",
    imports: [...pages, "login"],
  },
  management: { holds: "the Management API, a folder per group of resources; `kit/` is shared", imports: pages },
  login: {
    holds:
      "the hosted login: `steps.ts` the table of steps, `steps/<name>/` a step, `engine.ts` the next step, `factors/` for every place with factors, `pages/` other pages, `components/`",
    imports: pages,
  },
  messages: { holds: "emails and text messages, a file per message in `mails/`", imports: [...tenants, "branding"] },
  authorization: {
    holds:
      "the decisions about what a client receives and which second factors that needs: scopes, consent, organization, `step-up/`, tokens",
    imports: tenants,
  },
  branding: { holds: "colors, logos and themes of pages and emails", imports: foundations },
  tenants: {
    holds: "the `RequestTenant` class, the selection of a request's tenant and caller, inheritance, lifecycle, databases, log streams",
    imports: rules,
  },
  identity: {
    holds:
      "the rules for users, passwords, sign-in, sessions, one-time codes, tickets, identity providers, organizations, attack protection",
    imports: [...shared, "logs", "tokens"],
  },
  tokens: { holds: "signing, verifying, keys, refresh tokens, consents, quotas", imports: [...shared, "logs"] },
  logs: { holds: "audit events, and the rules for the content of logs", imports: shared },
  "context.ts": { holds: "`TenantContext`: the first parameter of every rule", imports: [...foundations, "crypto", "process-state"] },
  crypto: { holds: "encryption at rest, the key ring, keyed hashes", imports: foundations },
  "process-state": { holds: "bounded state that requests of one process share", imports: foundations },
  http: { holds: "`route()`, parsing, errors, pagination, cookies, URLs, the OpenAPI documents", imports: foundations },
  telemetry: {
    holds:
      "the spans and metrics, in the shape of the OpenTelemetry API: names, closed lists of attribute values, protection from failures",
    imports: ["errors.ts", "store", "adapters", "model"],
  },
  model: {
    holds:
      "a folder per group of resources: schemas (type, validation, OpenAPI) and settings; `connections/strategies/` a file per strategy",
    imports: ["errors.ts", "store", "adapters", "locales"],
  },
  adapters: { holds: "the interfaces that hosts implement, and their defaults", imports: ["errors.ts", "store"] },
  store: { holds: "the data contract, the descriptions of collections, tenant scope, searches", imports: ["errors.ts"] },
  locales: { holds: "the texts of pages and emails, a file per language", imports: [] },
  "errors.ts": { holds: "`PosternError` and the error codes", imports: [] },
};

/** The module with data access across tenants, and the folders and files that may import it. */
export const unscoped = {
  file: /^tenants\/installation\.ts$/,
  importers: ["tenants", "postern.ts", "setup", "server", "operations"],
};

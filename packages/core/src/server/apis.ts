import { managementErrors, oauthErrors, problemErrors } from "../http/error-body.ts";
import { authRoutes } from "./auth-routes.ts";
import type { Api } from "./api.ts";
import { authenticateMyAccount } from "./authenticate-my-account.ts";
import { authenticateManager } from "./authenticate-manager.ts";

/** The Auth API: OAuth 2.0, OpenID Connect and the hosted pages. It has every path that no other API has. */
export const authApi: Api = {
  prefixes: ["/"],
  load: async () => ({ routes: authRoutes }),
  document: "auth",
  errorFormat: oauthErrors,
  pages: /^\/(u\/(?!flow(\/|$))|activate$)/,
  unknownParameters: "ignored",
};

/**
 * Every API, in the order in which their prefixes are compared with a path. Routing, the rendering of errors,
 * authentication and the parsing of parameters read this table.
 */
export const apis: readonly Api[] = [
  {
    prefixes: ["/api/v2", "/tenants", "/operations"],
    // It has most of the routes and schemas, and many processes never serve it
    // (docs/decisions/0006-core-loads-in-one-piece.md).
    async load(mounted) {
      const [{ managementRoutes }, { unservedPathError }, { tenantRoutes }, { tenantOperationRoutes }] = await Promise.all([
        import("../management/routes.ts"),
        import("../management/unserved-paths.ts"),
        import("../management/tenants/tenants.ts"),
        import("../management/tenants/operations.ts"),
      ]);
      const routes = [
        ...managementRoutes,
        ...(mounted.tenants ? tenantRoutes : []),
        ...(mounted.tenants && mounted.operations ? tenantOperationRoutes : []),
      ];
      return { routes, unservedPathError };
    },
    document: "management",
    errorFormat: managementErrors,
    authenticate: authenticateManager,
    unknownParameters: "rejected",
  },
  {
    prefixes: ["/me/v1"],
    load: async () => ({ routes: (await import("../my-account/routes.ts")).myAccountRoutes }),
    document: "my-account",
    errorFormat: problemErrors,
    authenticate: authenticateMyAccount,
    unknownParameters: "ignored",
  },
  authApi,
];

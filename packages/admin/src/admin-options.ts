import type { ServiceSource, SessionStore } from "@postern/app";

/** Options of `createAdmin`. */
export interface AdminOptions {
  /** The service that the console manages, a promise of one, or a function that opens one. */
  readonly postern: ServiceSource;
  /** The tenant whose users sign in to the console: the only tenant, or the control plane. */
  readonly tenantId: string;
  /** The id of the console's client. Its `callbacks` must contain the URL `callback` below `appUrl`. */
  readonly clientId: string;
  /** The secret of the client. Omit it for a public client. */
  readonly clientSecret?: string;
  /** The public URL of the console. All its pages are below the path of this URL. */
  readonly appUrl: string;
  /**
   * Encrypts the sessions and protects the forms: 32 characters or more, the same in every process. In a list, the first
   * secret is used for new values and all of them are accepted, so that you can replace a secret.
   */
  readonly secret: string | readonly string[];
  /** Stores the sessions, so that browsers get no tokens. `appSessions` of `@postern/app` creates one. */
  readonly store: SessionStore;
  /**
   * Whether `tenantId` is the control plane of further tenants. Then every URL of the console names a tenant. Default:
   * false.
   */
  readonly isControlPlane?: boolean;
  /**
   * Whether operators must pass a second factor. The sign-in asks for it, and users without one cannot open the console.
   * Default: false.
   */
  readonly requiresSecondFactor?: boolean;
  /**
   * Further scopes of the Management API that the console requests. A caller cannot grant a permission that its token
   * lacks, so list the scopes of the roles that operators assign in the console. Default: none.
   */
  readonly scopes?: readonly string[];
  /**
   * Returns findings about the setup for the home page, for example those of `postern.doctor()`. Called at most once a
   * minute in a process. Only users of `tenantId` with the scope `read:tenant_settings` see the findings. Default: none.
   */
  readonly findings?: () => Promise<readonly AdminFinding[]>;
  /** Returns the time, in milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
}

/** A finding about the setup. `Finding` of `@postern/core` satisfies it. */
export interface AdminFinding {
  readonly level: "ok" | "warning" | "error";
  /** The result of the check. */
  readonly message: string;
  /** The fix. */
  readonly cure?: string;
}

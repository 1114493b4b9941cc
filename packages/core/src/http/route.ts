import type * as z from "zod";
import type { Auth0ErrorCode } from "../errors.ts";
import type { AuditEventType } from "../model/logs/audit-event-types.ts";
import type { Scope } from "../model/scopes.ts";
import type { BodyKind } from "./body.ts";
import type { Document } from "./document.ts";
import type { Preferences } from "./prefer.ts";

/** The HTTP methods that routes use. HEAD is served by GET, OPTIONS by the request handler. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The callers that a route accepts.
 *
 * - A list of scopes: a Management API token with any one of them.
 * - `client`: OAuth client authentication (RFC 6749 section 2.3); public clients by their id only.
 * - `bearer`: an access token of a user (`/userinfo`).
 * - `public`: every request. The handler itself must check it.
 */
export type RouteAccess = readonly [Scope, ...Scope[]] | "client" | "bearer" | "public";

/** Scopes that a caller must hold in addition to one of the route's `scopes`. */
export interface FurtherScopes {
  /**
   * The caller must hold one of these scopes. `granted`: the caller must hold every Management API scope that the
   * request grants.
   */
  readonly scopes: readonly [Scope, ...Scope[]] | "granted";
  /**
   * The condition for the documents, for example "if `upsert` is true". The route's handler then checks the scopes with
   * `requireScopes`. Default: the scopes are always required, and the request handler checks them.
   */
  readonly when?: string;
}

/** The content of a status: a JSON body with its schema, no body, plain text, or an error. */
export type ResponseDefinition = z.ZodType | null | PlainText | Auth0ErrorCode | ErrorText;

/** A plain-text body. */
export interface PlainText {
  /** The description of the text, for the documents. */
  readonly text: string;
}

/** Describes when a status is returned, for the documents. */
export interface ErrorText {
  readonly error: string;
}

/** The definition of a route. Routing, validation, types, the scope check and the OpenAPI documents derive from it. */
export interface RouteDefinition {
  readonly method: Method;
  /** The path below the base path, with `:name` for parameters. */
  readonly path: `/${string}`;
  /** One line for the documents. */
  readonly summary: string;
  /** Further explanation for the documents. */
  readonly description?: string;
  readonly scopes: RouteAccess;
  /**
   * Scopes that the route requires in addition. Every scope check of a handler is declared here, so that the documents
   * contain it.
   */
  readonly furtherScopes?: readonly FurtherScopes[];
  /**
   * The name of the operation in the in-process API if it cannot be derived from method and path: `users.roles.add`.
   * The rule is in packages/core/scripts/operations.ts.
   */
  readonly operation?: string;
  /** The schema of the query parameters. Default: they are not read, and the Management API rejects any. */
  readonly query?: z.ZodType<object>;
  /** The schema of the body. Default: the body is not read. */
  readonly body?: z.ZodType;
  /** The schema of the body in the OpenAPI documents. Default: `body`. */
  readonly documentedBody?: z.ZodType;
  /** Default: `json`. */
  readonly bodyKind?: BodyKind;
  /**
   * Which cross-origin scripts may read the response: all, those of the client's origins, or none. Default: `client`;
   * `none` for public routes.
   */
  readonly cors?: "any" | "client" | "none";
  /**
   * Scripts may send cookies with the request, and the browser stores those of the response. The handler must reject
   * origins that do not belong to the client.
   */
  readonly corsCredentials?: true;
  /** `Cache-Control` of successful responses. Default: `no-store`. */
  readonly cache?: string;
  /**
   * While the data store is unavailable, the last successful response is served for up to 24 hours. Only for public
   * documents.
   */
  readonly isServedStale?: true;
  /** `page` if errors are shown as a page. Default: JSON. */
  readonly errorFormat?: "page";
  /**
   * The parameters of a public route that name the tenant if the URL does not: `client_id`, `id_token_hint`, or a
   * parameter whose value begins with the tenant's id, such as `state` or `ticket`. If two of them name different
   * tenants, the request is rejected.
   */
  readonly tenantHints?: readonly string[];
  /**
   * The GET has side effects: it starts a login session, issues a code or signs a user out. A HEAD request, which must
   * not have side effects, then only checks the parameters.
   */
  readonly hasSideEffects?: true;
  /** Returns the audit event type of a rejected request, given its body. Default: rejections are not audited. */
  readonly failureEvent?: (body: unknown) => AuditEventType;
  /**
   * Returns the fields of the resource that a caller may read; undefined: all. Default: every scope may read all
   * fields.
   */
  readonly visibleFields?: (viewer: Viewer) => readonly string[] | undefined;
  readonly responses: { readonly [status: number]: ResponseDefinition };
}

/** The caller of a Management API request, and its target. */
export interface Viewer {
  /** The scopes of the token. */
  readonly scopes: ReadonlySet<string>;
  /**
   * The caller's user id if the caller is a user of this tenant; undefined for clients and for callers from another
   * tenant.
   */
  readonly ownUserId: string | undefined;
  /** The path parameters. */
  readonly params: { readonly [name: string]: string };
}

/** The names of the path parameters. */
type PathParameters<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParameters<`/${Tail}`>
    : Rest
  : never;

type Parsed<D extends RouteDefinition, Part extends "query" | "body"> = D extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** The input of a handler, parsed with the route's schemas. */
export interface Input<D extends RouteDefinition> {
  readonly params: { readonly [Name in PathParameters<D["path"]>]: string };
  readonly query: Parsed<D, "query">;
  readonly body: Parsed<D, "body">;
  readonly prefer: Preferences;
  /** The request, for its headers. Its body has been read. */
  readonly request: Request;
}

type BodyOf<R> = R extends z.ZodType ? z.input<R> : R extends null ? undefined | void : never;

/** The body of a successful response, as the route declares it. */
export type Success<D extends RouteDefinition> = { [Status in keyof D["responses"]]: BodyOf<D["responses"][Status]> }[keyof D["responses"]];

/** A response body with a specific status or headers. */
export class Reply<Body> {
  readonly body: Body;
  readonly status: number | undefined;
  readonly headers: { readonly [name: string]: string };
  /** `Set-Cookie` values. */
  readonly cookies: readonly string[];

  constructor(body: Body, { status, headers = {}, cookies = [] }: ReplyOptions = {}) {
    this.body = body;
    this.status = status;
    this.headers = headers;
    this.cookies = cookies;
  }
}

/** Options of a {@link Reply}. */
export interface ReplyOptions {
  readonly status?: number | undefined;
  readonly headers?: { readonly [name: string]: string };
  readonly cookies?: readonly string[];
}

/** The context that handlers receive, by kind of access. */
export interface Contexts {
  readonly scopes: object;
  readonly client: object;
  readonly bearer: object;
  readonly public: object;
}

type ContextOf<C extends Contexts, D extends RouteDefinition> = D["scopes"] extends keyof C ? C[D["scopes"]] : C["scopes"];

/** A route for the request handler. */
export interface Route {
  readonly definition: RouteDefinition;
  handle(input: object, context: object): Promise<unknown>;
}

/**
 * Creates the function that defines routes whose handlers receive these contexts. The handler is passed in a separate
 * call: inside the definition its literals would widen, and type-checking hundreds of routes would take minutes.
 */
export function defineRoutes<C extends Contexts>() {
  return <const D extends RouteDefinition>(definition: D) =>
    (handle: (input: Input<D>, context: ContextOf<C, D>) => Promise<Success<D> | Reply<Success<D>> | Document | Response>): Route => ({
      definition,
      // The request handler calls it as `definition` says: with input parsed by its schemas and the context of its
      // `scopes`.
      handle: handle as (input: object, context: object) => Promise<unknown>,
    });
}

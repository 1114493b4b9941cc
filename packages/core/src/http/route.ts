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
 * Who may call a route.
 *
 * - A list of scopes: the Management API; a token with any one of them.
 * - `client`: OAuth client authentication (RFC 6749 section 2.3), public clients by their id alone.
 * - `bearer`: an access token of a person (`/userinfo`).
 * - `public`: anybody. The handler sees to its own protection.
 */
export type Access = readonly [Scope, ...Scope[]] | "client" | "bearer" | "public";

/** Scopes that a caller must hold in addition to one of the route's `scopes`. */
export interface FurtherScopes {
  /** The caller must hold one of these. `granted`: the caller must hold each scope of the Management API that the request grants. */
  readonly scopes: readonly [Scope, ...Scope[]] | "granted";
  /**
   * The condition as the documents state it, for example "if `upsert` is true". The route's handler checks such scopes with `requireScopes`.
   * Left out: the scopes are always required, and the request handler checks them.
   */
  readonly when?: string;
}

/** What a status carries: a JSON body by its schema, no body, plain text, or an error. */
export type ResponseDefinition = z.ZodType | null | PlainText | Auth0ErrorCode | ErrorText;

/** A body that is text and not JSON. */
export interface PlainText {
  /** What it says, for the documents. */
  readonly text: string;
}

/** Says in words when an error status is answered, for the documents. */
export interface ErrorText {
  readonly error: string;
}

/** All that is to know about a route. It drives routing, validation, types, the scope check and the OpenAPI documents. */
export interface RouteDefinition {
  readonly method: Method;
  /** With `:name` for parameters, below the base path. */
  readonly path: `/${string}`;
  /** One line for the documents. */
  readonly summary: string;
  /** Further explanation for the documents. */
  readonly description?: string;
  readonly scopes: Access;
  /** Scopes that the route requires as well. Every scope check of a handler is declared here, so that the documents name it. */
  readonly furtherScopes?: readonly FurtherScopes[];
  /** What the operation is called in the in-process API, where method and path do not say it well: `users.roles.add`. The rule is in packages/core/scripts/operations.ts. */
  readonly operation?: string;
  /** Query parameters by schema. Left out: none are looked at, and the Management API refuses any. */
  readonly query?: z.ZodType<object>;
  /** The body by schema. Left out: no body is read. */
  readonly body?: z.ZodType;
  /** The body as the OpenAPI documents show it. Default `body`. */
  readonly documentedBody?: z.ZodType;
  /** `json` unless said otherwise. */
  readonly bodyKind?: BodyKind;
  /** Which cross-origin scripts may read the answer: any, those of the client's origins, or none. Default `client`, for public routes `none`. */
  readonly cors?: "any" | "client" | "none";
  /** Scripts may send cookies with the request, and the browser keeps those of the answer. The handler refuses any origin that is not the client's. */
  readonly corsCredentials?: true;
  /** `Cache-Control` of a success. Default `no-store`. */
  readonly cache?: string;
  /** While the data store is unavailable, the last successful response is served for up to 24 hours. Only for public documents. */
  readonly isServedStale?: true;
  /** How errors are told: as JSON unless it is a page that a person sees. */
  readonly errorFormat?: "page";
  /**
   * The parameters of a public route that name the tenant if the URL does not: `client_id`, `id_token_hint`, or a
   * parameter whose value begins with the tenant's id, such as `state` or `ticket`. If two of them name different
   * tenants, the request is rejected.
   */
  readonly tenantHints?: readonly string[];
  /** Its GET does more than show: it begins a login session, gives a code or signs somebody out. HEAD, which must do none of it, gets no further than to the checks of its parameters. */
  readonly hasSideEffects?: true;
  /** The audit code of a refused request, from its body. Left out: refusals are not on record. */
  readonly failureEvent?: (body: unknown) => AuditEventType;
  /**
   * The fields of the reply's resource that a caller is shown, where not every scope shows all of them; undefined: all.
   * Left out: every scope shows all.
   */
  readonly visibleFields?: (viewer: Viewer) => readonly string[] | undefined;
  readonly responses: { readonly [status: number]: ResponseDefinition };
}

/** Who asks for a reply of the Management API, and about what. */
export interface Viewer {
  /** The scopes of the token. */
  readonly scopes: ReadonlySet<string>;
  /** The user of the tenant that the caller is; undefined for clients, and for whoever comes from another tenant. */
  readonly ownUserId: string | undefined;
  /** Of the path. */
  readonly params: { readonly [name: string]: string };
}

/** The names after colons in a path. */
type PathParameters<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParameters<`/${Tail}`>
    : Rest
  : never;

type Parsed<D extends RouteDefinition, Part extends "query" | "body"> = D extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** What a handler gets of the request, parsed by the route's schemas. */
export interface Input<D extends RouteDefinition> {
  readonly params: { readonly [Name in PathParameters<D["path"]>]: string };
  readonly query: Parsed<D, "query">;
  readonly body: Parsed<D, "body">;
  readonly prefer: Preferences;
  /** The request itself, for headers. Its body has been read. */
  readonly request: Request;
}

type BodyOf<R> = R extends z.ZodType ? z.input<R> : R extends null ? undefined | void : never;

/** The body of a success, as the route declares it. */
export type Success<D extends RouteDefinition> = { [Status in keyof D["responses"]]: BodyOf<D["responses"][Status]> }[keyof D["responses"]];

/** A body with a status of its own, or with headers. */
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

/** What a {@link Reply} may have of its own. */
export interface ReplyOptions {
  readonly status?: number | undefined;
  readonly headers?: { readonly [name: string]: string };
  readonly cookies?: readonly string[];
}

/** The context that handlers get, by who may call. */
export interface Contexts {
  readonly scopes: object;
  readonly client: object;
  readonly bearer: object;
  readonly public: object;
}

type ContextOf<C extends Contexts, D extends RouteDefinition> = D["scopes"] extends keyof C ? C[D["scopes"]] : C["scopes"];

/** A route as the request handler holds it. */
export interface Route {
  readonly definition: RouteDefinition;
  handle(input: object, context: object): Promise<unknown>;
}

/**
 * Makes the function that declares routes, for handlers that get these contexts.
 * The handler is a call of its own: inside the definition its literals would widen, and checking hundreds of routes would take minutes.
 */
export function defineRoutes<C extends Contexts>() {
  return <const D extends RouteDefinition>(definition: D) =>
    (handle: (input: Input<D>, context: ContextOf<C, D>) => Promise<Success<D> | Reply<Success<D>> | Document | Response>): Route => ({
      definition,
      // The request handler calls it with what `definition` says: input parsed by its schemas and the context of its `scopes`.
      handle: handle as (input: object, context: object) => Promise<unknown>,
    });
}

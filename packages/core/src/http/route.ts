import type * as z from "zod";
import type { Auth0ErrorCode } from "../errors.ts";
import type { AuditEventType } from "../model/logs/audit-event-types.ts";
import type { BodyKind } from "./body.ts";
import { withPaging } from "./complete-list.ts";
import type { Document } from "./document.ts";
import type { Preferences } from "./prefer.ts";

/**
 * The HTTP methods in route definitions. A GET route also serves HEAD requests, and the request handler serves OPTIONS.
 */
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The callers that a route accepts.
 *
 * - A list of scopes: an access token for the route's API that has at least one of them.
 * - `client`: a client that authenticates (RFC 6749 section 2.3). A public client sends only its id.
 * - `bearer`: an access token for a user (`/userinfo`).
 * - `mfa`: a client with an `mfa_token` in the `Authorization` header.
 * - `public`: any caller. The handler itself must check the request.
 */
export type RouteAccess<S extends string = string> = readonly [S, ...S[]] | "client" | "bearer" | "mfa" | "public";

/** Scopes that a caller must hold in addition to one of the route's `scopes`. */
export interface FurtherScopes<S extends string = string> {
  /**
   * The caller must hold at least one of these scopes. `granted`: the caller must hold every Management API scope that
   * the request grants.
   */
  readonly scopes: readonly [S, ...S[]] | "granted";
  /**
   * The condition under which the scopes are required, for the API documents, for example "if `upsert` is true". If it
   * is set, the route's handler must check the scopes with `requireScopes`. Default: the scopes are always required,
   * and the request handler checks them.
   */
  readonly when?: string;
}

/** The content of a response with one status: a JSON body with its schema, no body, plain text, or an error. */
type ResponseDefinition = z.ZodType | null | PlainText | Auth0ErrorCode | ErrorText;

/** A plain-text body. */
interface PlainText {
  /** The description of the text, for the API documents. */
  readonly text: string;
}

/** Describes when an error status is returned, for the API documents. */
export interface ErrorText {
  readonly error: string;
  /** Overrides the default error schema. Create it with `errorSchemaWith`. */
  readonly schema?: z.ZodType;
}

/**
 * The definition of a route. Routing, validation, types, the scope check and the OpenAPI documents derive from the
 * definition. `S`: the scopes of the route's API.
 */
export interface RouteDefinition<S extends string = string> {
  readonly method: Method;
  /** The path below the base path, with `:name` for parameters. */
  readonly path: `/${string}`;
  /** A summary for the API documents, in one line. */
  readonly summary: string;
  /** Further explanation for the API documents. */
  readonly description?: string;
  readonly scopes: RouteAccess<S>;
  /**
   * Scopes that the route requires in addition to `scopes`. Declare every scope check of the handler here, so that the
   * API documents contain it.
   */
  readonly furtherScopes?: readonly FurtherScopes<S>[];
  /**
   * The name of the operation in the in-process API, if the name cannot be derived from the method and the path:
   * `users.roles.add`. The rule for the derivation is in packages/core/scripts/operations.ts.
   */
  readonly operation?: string;
  /** The schema of the path parameters. It declares all of them. Default: each accepts any text. */
  readonly params?: z.ZodType<{ readonly [name: string]: string }, { readonly [name: string]: string }>;
  /**
   * The schema of the query parameters. Default: the query is not read, and the Management API rejects all parameters. A
   * list of the Management API whose response is always an array also accepts the paging parameters.
   */
  readonly query?: z.ZodType<object>;
  /** The schema of the body. Default: the body is not read. */
  readonly body?: z.ZodType;
  /** The schema that describes the body in the OpenAPI documents. Default: `body`. */
  readonly documentedBody?: z.ZodType;
  /**
   * The maximum number of requests from one client address in an hour, per process. It is checked before the body is
   * read. Default: no limit. An address that many clients share is not limited.
   */
  readonly requestsPerAddress?: number;
  /** The media types of the body. Default: `json`. */
  readonly bodyKind?: BodyKind;
  /**
   * Whether `null` and an empty string are values of the body, because `null` removes a field. Default: in APIs that ignore
   * unknown parameters, they count as absent.
   */
  readonly hasEmptyMembers?: true;
  /**
   * The origins whose scripts may read the response: all origins, those of the client, or none. Default: `client`; for
   * public routes, `none`.
   */
  readonly cors?: "any" | "client" | "none";
  /**
   * Whether scripts may send cookies with the request, and the browser stores the cookies in the response. If so, the
   * handler must reject origins that do not belong to the client.
   */
  readonly corsCredentials?: true;
  /** The `Cache-Control` header of successful responses. Default: `no-store`. */
  readonly cache?: string;
  /**
   * Whether the last successful response is served, for up to 24 hours, while the data store is unavailable. Only for
   * public documents.
   */
  readonly isServedStale?: true;
  /** `page` if errors are returned as HTML pages. Default: JSON. */
  readonly errorFormat?: "page";
  /**
   * The parameters of a public route that determine the tenant if the URL does not: `client_id`, `id_token_hint`,
   * `tenant` with the tenant's id, or a parameter whose value begins with the tenant's id, such as `state` or `ticket`.
   * If two of them belong to different tenants, the request is rejected.
   */
  readonly tenantHints?: readonly string[];
  /** Whether the browser's session determines the tenant if neither the URL nor `tenantHints` do. */
  readonly findsTenantBySession?: true;
  /**
   * Whether a GET request has side effects: it starts a login session, issues a code or signs a user out. A HEAD
   * request must not have side effects, so on such a route it only validates the parameters.
   */
  readonly hasSideEffects?: true;
  /**
   * Whether a client can prove the possession of a key in the header `DPoP` (RFC 9449). Only for routes with the access
   * `client`. The handler receives the key as `provenKey`.
   */
  readonly acceptsProof?: true;
  /**
   * Returns the type of the audit event to write when the request with this body is rejected. Default: rejections are
   * not audited.
   */
  readonly failureEvent?: (body: unknown) => AuditEventType;
  /**
   * Returns the fields of the resource that a caller may read; undefined means all fields. Default: every caller may
   * read all fields.
   */
  readonly visibleFields?: (viewer: Viewer) => readonly string[] | undefined;
  readonly responses: { readonly [status: number]: ResponseDefinition };
}

/** The caller of a Management API request, and the resource that the request is for. */
export interface Viewer {
  /** The scopes of the caller's token. */
  readonly scopes: ReadonlySet<string>;
  /**
   * The caller's user id if the caller is a user in this tenant. Undefined for clients, and for callers from another
   * tenant.
   */
  readonly ownUserId: string | undefined;
  /** The path parameters. */
  readonly params: { readonly [name: string]: string };
}

/** The names of the parameters in a path. */
type PathParameters<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParameters<`/${Tail}`>
    : Rest
  : never;

type Parsed<D extends RouteDefinition, Part extends "params" | "query" | "body"> = D extends {
  readonly [P in Part]: infer S extends z.ZodType;
}
  ? z.output<S>
  : undefined;

/** The input of a handler, parsed with the route's schemas. */
interface Input<D extends RouteDefinition> {
  readonly params: D extends { readonly params: z.ZodType }
    ? Parsed<D, "params">
    : { readonly [Name in PathParameters<D["path"]>]: string };
  readonly query: Parsed<D, "query">;
  readonly body: Parsed<D, "body">;
  readonly prefer: Preferences;
  /** The request, for access to its headers. Its body has already been read. */
  readonly request: Request;
}

type BodyOf<R> = R extends z.ZodType ? z.input<R> : R extends null ? undefined | void : never;

/** The body of a successful response, according to the route's `responses`. */
type Success<D extends RouteDefinition> = { [Status in keyof D["responses"]]: BodyOf<D["responses"][Status]> }[keyof D["responses"]];

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
interface ReplyOptions {
  readonly status?: number | undefined;
  readonly headers?: { readonly [name: string]: string };
  readonly cookies?: readonly string[];
}

/** The context that handlers receive, for each kind of access. */
export interface Contexts {
  readonly scopes: object;
  readonly client: object;
  readonly bearer: object;
  readonly mfa: object;
  readonly public: object;
}

type ContextOf<C extends Contexts, D extends RouteDefinition> = D["scopes"] extends keyof C ? C[D["scopes"]] : C["scopes"];

/** A route in the form that the request handler uses. */
export interface Route {
  readonly definition: RouteDefinition;
  handle(input: object, context: object): Promise<unknown>;
}

/**
 * Returns a function that defines routes whose handlers receive these contexts. The handler is passed in a second call.
 * If it were part of the definition, the literal types in the definition would be widened, and type-checking hundreds
 * of routes would take minutes. `S`: the scopes that the routes may require.
 */
export function defineRoutes<C extends Contexts, S extends string = string>() {
  return <const D extends RouteDefinition<S>>(definition: D) =>
    (handle: (input: Input<D>, context: ContextOf<C, D>) => Promise<Success<D> | Reply<Success<D>> | Document | Response>): Route => ({
      definition: withPaging(definition),
      // The request handler calls it in accordance with `definition`: with input that its schemas parsed, and with the
      // context for its `scopes`.
      handle: handle as (input: object, context: object) => Promise<unknown>,
    });
}

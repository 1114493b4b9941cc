import type { IncomingMessage, ServerResponse } from "node:http";
import type { BareTools } from "./servers/bare-tools.ts";

/** The measured servers. `bare` does only the unavoidable work. */
export type ServerName = "bare" | "postern" | "oidc-provider" | "better-auth";

/** The values in the prepared database that requests need. */
export interface Facts {
  readonly issuer: string;
  readonly audience: string;
  readonly secret: string;
  /** The secret that seals the database, as `POSTERN_SECRET` of the standalone example. */
  readonly keyRing: string;
  /** A Management API token. */
  readonly token: string;
  /** A token for the other tenant. No measurement counts the users in this tenant. */
  readonly otherToken: string;
  /** A user's access token. */
  readonly userToken: string;
  readonly userIds: readonly string[];
  /** The keys with which `bare` signs tokens, by algorithm. */
  readonly keys: { readonly [alg in "RS256" | "ES256"]: { readonly kid: string; readonly privateKey: string } };
  /** The documents that `bare` serves. */
  readonly documents: { readonly discovery: string; readonly jwks: string };
  /** The client of a web app. */
  readonly app: { readonly clientId: string; readonly redirectUri: string };
  /** The number of refresh tokens that connections can start with. */
  readonly refreshTokens: number;
  /** The number of users that can sign in with a password: `user0@example.com` and so on. */
  readonly loginUsers: number;
  /** The values that a peer announces when it is ready: its clients and its administrator's cookie. */
  readonly peer?: { readonly [name: string]: string };
}

/** A request that the load generator sends. Its path is the path that the measured server uses. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

/** The state of a connection, for requests that depend on an earlier response. */
export interface ConnectionState {
  /** The number of the connection. Warm-up and measurement have different numbers. */
  readonly connection: number;
  /** The response to the connection's last request. `undefined` for its first. */
  readonly answer: string | undefined;
}

/** Creates the `i`th request. `i` is unique in a run. */
export type RequestFactory = (facts: Facts, i: number, turn: ConnectionState) => LoadRequest;

/**
 * Returns the ranges of request and connection numbers for each part of a round, so that no code is used twice and no
 * user created twice.
 */
export const numbersOf = (round: number) => ({
  warmUp: { first: round * perRound.requests, connection: round * perRound.connections },
  measured: { first: (round + 0.5) * perRound.requests, connection: (round + 0.5) * perRound.connections },
});

/** The size of the range of numbers in each round. */
export const perRound = { requests: 8000, connections: 64 } as const;

/** A route of `bare`. `GET /users` matches this path, and `GET /users/` matches every path one level below it. */
export interface BareRoute {
  readonly route: `${"GET" | "POST"} /${string}`;
  /** `body` is empty for a GET. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>;
}

/** The work that the token endpoint of `bare` does for one `grant_type`, after it verified the client's secret. */
export interface BareGrant {
  readonly type: string;
  /** @returns the response body, or `undefined` for a rejected request. */
  readonly exchange: (request: IncomingMessage, parameters: { readonly [parameter: string]: string }) => Promise<object | undefined>;
}

/** One row of the table: the requests for each server, and the implementation of `bare`. */
export interface Operation {
  readonly name: string;
  /** The maximum CPU per request, as a multiple of `bare`. */
  readonly target: number;
  /** The requests for this operation, by the server that supports it. */
  readonly requests: { readonly [server in ServerName]?: RequestFactory };
  /** Omitted if the route of another operation handles the request. */
  readonly bare?: (tools: BareTools) => BareRoute;
  /** The implementation in `bare` if the operation is a grant at the token endpoint. */
  readonly bareGrant?: (tools: BareTools) => BareGrant;
  /** `true` if all requests are equal, so that the load generator can serialize the request once. */
  readonly constant?: true;
  /** The maximum number of requests in a run, for operations that fill the database. */
  readonly maxRequests?: number;
}

/** The header for JSON bodies. */
export const json = { "content-type": "application/json" } as const;

/** Returns the header and the body of a URL-encoded form, as OAuth clients send it. */
export function form(parameters: { readonly [name: string]: string }): Pick<LoadRequest, "headers" | "body"> {
  return { headers: { "content-type": "application/x-www-form-urlencoded" }, body: new URLSearchParams(parameters).toString() };
}

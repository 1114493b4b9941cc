import type { IncomingMessage, ServerResponse } from "node:http";
import type { BareTools } from "./servers/bare-tools.ts";

/** The servers that are measured. `bare` does what cannot be avoided and nothing else. */
export type ServerName = "bare" | "postern" | "oidc-provider" | "better-auth";

/** What the prepared database holds, as far as requests need it. */
export interface Facts {
  readonly issuer: string;
  readonly audience: string;
  readonly secret: string;
  /** The key ring that the database is sealed with. */
  readonly keyRing: string;
  /** A Management API token. */
  readonly token: string;
  readonly userIds: readonly string[];
  /** What `bare` signs with, by algorithm. */
  readonly keys: { readonly [alg in "RS256" | "ES256"]: { readonly kid: string; readonly privateKey: string } };
  /** The documents that `bare` serves as they are. */
  readonly documents: { readonly discovery: string; readonly jwks: string };
  /** What a peer says of itself when it is ready: its clients, its administrator's cookie. */
  readonly peer?: { readonly [name: string]: string };
}

/** A request of the load. Paths are as the server in question has them. */
export interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

/** Makes the `i`th request; `i` never repeats in a run. */
export type Asking = (facts: Facts, i: number) => Ask;

/** How `bare` answers a path: `GET /users` that one, `GET /users/` everything one level below it. */
export interface BareRoute {
  readonly route: `${"GET" | "POST"} /${string}`;
  /** The body is undefined for a GET. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>;
}

/** One line of the table: what is asked of whom, and how the floor is made. */
export interface Operation {
  readonly name: string;
  /** What CPU per request may be, as a multiple of `bare`. */
  readonly target: number;
  /** Of the servers that are named here. */
  readonly asks: { readonly [server in ServerName]?: Asking };
  /** Left out where the route of another operation answers this one. */
  readonly bare?: (tools: BareTools) => BareRoute;
  /** Whether every request is the same, so that the load need not write it anew. */
  readonly constant?: true;
  /** Requests of a run at most, for what fills the database. */
  readonly atMost?: number;
}

/** The header of JSON bodies. */
export const json = { "content-type": "application/json" } as const;

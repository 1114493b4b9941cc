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
  /** One of the other tenant, whose users are not counted by anybody. */
  readonly otherToken: string;
  /** A person's access token. */
  readonly personToken: string;
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

/** Whose turn it is, for requests that need what an earlier one gave. */
export interface Turn {
  /** Numbers the connections of a run; warming up and measuring have different ones. */
  readonly connection: number;
  /** What the connection's last request was answered; undefined for its first. */
  readonly answer: string | undefined;
}

/** Makes the `i`th request; `i` never repeats in a run. */
export type Asking = (facts: Facts, i: number, turn: Turn) => Ask;

/** The numbers of requests and connections in each part of a round, so that no code is used twice and no user created twice. */
export const numbersOf = (round: number) => ({
  warmUp: { first: round * perRound.requests, connection: round * perRound.connections },
  measured: { first: (round + 0.5) * perRound.requests, connection: (round + 0.5) * perRound.connections },
});

/** How many numbers a round has, of those requests whose numbers must not come again. */
export const perRound = { requests: 8000, connections: 64 } as const;

/** How `bare` answers a path: `GET /users` that one, `GET /users/` everything one level below it. */
export interface BareRoute {
  readonly route: `${"GET" | "POST"} /${string}`;
  /** The body is undefined for a GET. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>;
}

/** What the token endpoint of `bare` does for one `grant_type`, once the client's secret is known to be right. */
export interface BareGrant {
  readonly type: string;
  /** @returns the answer, undefined for what is refused. */
  readonly exchange: (request: IncomingMessage, asked: { readonly [parameter: string]: string }) => Promise<object | undefined>;
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
  /** The same, for a grant of the token endpoint. */
  readonly bareGrant?: (tools: BareTools) => BareGrant;
  /** Whether every request is the same, so that the load need not write it anew. */
  readonly constant?: true;
  /** Requests of a run at most, for what fills the database. */
  readonly atMost?: number;
}

/** The header of JSON bodies. */
export const json = { "content-type": "application/json" } as const;

/** A body as HTML forms and OAuth clients send it. */
export function form(parameters: { readonly [name: string]: string }): Pick<Ask, "headers" | "body"> {
  return { headers: { "content-type": "application/x-www-form-urlencoded" }, body: new URLSearchParams(parameters).toString() };
}

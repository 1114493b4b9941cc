import type { Postern } from "@postern/core";

/** What of a Postern is needed to serve it. */
export type Service = Pick<Postern, "fetch">;

/** A function that opens a service: its database, and whatever else it needs. */
export type OpenService = () => Service | Promise<Service>;

import { perRound, type Facts, type ServerName } from "../operation.ts";
import { benchOperations } from "../operations.ts";
import type { LoadProcess } from "./load-process.ts";
import {
  loginUsers,
  prepareBetterAuthLogins,
  prepareLogins,
  prepareOidcProviderLogins,
  repeatInLanes,
  type Login,
} from "./measure-logins.ts";
import type { Running } from "./process.ts";

/**
 * The operations of the mixed load and the share of the time that each of them runs. They run one after the other, in
 * this order and repeatedly, so that each measurement of CPU belongs to one operation.
 */
export const mixedShares: { readonly [operation: string]: number } = {
  "client_credentials RS256": 2 / 12,
  "client_credentials ES256": 1 / 12,
  "refresh, rotating": 2 / 12,
  userinfo: 1 / 12,
  "user by id": 1 / 12,
  "list 50 of 10,000 users": 1 / 12,
  "list 50 of 10,000 users, with totals": 1 / 12,
  "password login": 2 / 12,
  "create user": 1 / 12,
};

/** A server that {@link runMixedLoad} measures. */
export interface MixedServer {
  /** The name in the result. */
  readonly name: string;
  /** Which requests the server gets. */
  readonly kind: ServerName;
  readonly running: Running;
}

/** What {@link runMixedLoad} measured on one server. Memory in mebibytes. */
export interface MixedResult {
  readonly idle: number;
  readonly after: number;
  readonly peak: number;
  /** The number of requests and the CPU time of all of them in microseconds, by operation. A login counts once. */
  readonly operations: ReadonlyMap<string, { readonly requests: number; readonly cpu: number }>;
}

const connections = 32;
/** How often the list of operations is repeated. */
const cycles = 4;

/**
 * Runs the mixed load on each server for `seconds`. The servers take turns for each operation. An operation that a
 * server does not have is left out for it, and its load is shorter.
 * @param firstRound the first round of which the database has unused refresh tokens. {@link mixedRounds} are needed.
 */
export async function runMixedLoad(
  servers: readonly MixedServer[],
  {
    facts,
    load,
    seconds,
    firstRound,
  }: { readonly facts: Facts; readonly load: LoadProcess; readonly seconds: number; readonly firstRound: number },
): Promise<ReadonlyMap<string, MixedResult>> {
  const results = new Map(
    servers.map(({ name, running }) => [
      name,
      { idle: running.memory(), operations: new Map<string, { requests: number; cpu: number }>() },
    ]),
  );
  const logins = new Map<string, Login>();
  for (const { name, kind, running } of servers) {
    if (kind === "postern") logins.set(name, await prepareLogins(running, facts));
    if (kind === "oidc-provider") logins.set(name, prepareOidcProviderLogins(running, facts));
    if (kind === "better-auth") logins.set(name, prepareBetterAuthLogins(running, facts));
  }

  for (let cycle = 0; cycle < cycles; cycle++) {
    for (const [operation, share] of Object.entries(mixedShares)) {
      for (const { name, kind, running } of rotateOperations(servers, cycle)) {
        const time = (seconds * share) / cycles;
        const before = running.cpu();
        const requests = await runOne({ operation, kind, running, time, cycle, login: logins.get(name) });
        if (requests === 0) continue;
        const sums = results.get(name)?.operations;
        const sum = sums?.get(operation) ?? { requests: 0, cpu: 0 };
        sums?.set(operation, { requests: sum.requests + requests, cpu: sum.cpu + running.cpu() - before });
      }
    }
  }
  return new Map(
    servers.map(({ name, running }) => {
      const { idle = 0, operations: sums = new Map() } = results.get(name) ?? {};
      return [name, { idle, after: running.memory(), peak: running.peakMemory(), operations: sums }];
    }),
  );

  async function runOne(part: {
    readonly operation: string;
    readonly kind: ServerName;
    readonly running: Running;
    readonly time: number;
    readonly cycle: number;
    readonly login: Login | undefined;
  }): Promise<number> {
    const { operation, kind, running, time, cycle, login } = part;
    if (operation === "password login")
      return login === undefined ? 0 : repeatInLanes(connections, time * 1000, (lane) => login(lane % loginUsers));
    if (benchOperations.find(({ name }) => name === operation)?.requests[kind] === undefined) return 0;
    const { requests, failures, firstFailure } = await load.run({
      server: kind,
      operation,
      port: running.port,
      facts: { ...facts, peer: running.peer },
      connections,
      seconds: time,
      atMost: Number.MAX_SAFE_INTEGER,
      // Users are created with numbers that no round uses.
      numbers: { first: 1_000_000 * (1 + cycle), connection: (firstRound + cycle) * perRound.connections },
    });
    if (failures > 0) throw new Error(`${operation} on ${kind}: ${failures} failed. ${firstFailure}`);
    return requests;
  }
}

/** The number of rounds of which {@link runMixedLoad} uses the refresh tokens. */
export const mixedRounds = cycles;

/** Rotates the list, so that each server is the first in some cycles. */
export function rotateOperations<T>(list: readonly T[], round: number): T[] {
  const start = round % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

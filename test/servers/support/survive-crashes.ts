import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { momentsOf } from "./around-writes.ts";
import { isNightly, sampled } from "../../support/nightly.ts";
import { prepareServers, type ServerProcess, type Servers } from "./processes.ts";

/** A client's flow during which the process is killed. */
interface Flow<Before> {
  /** Writes after the response. No crash is tested at these writes. */
  readonly afterResponse?: readonly string[];
  /** The last writes of the flow. Another flow tests crashes at them. */
  readonly coveredElsewhere?: readonly string[];
  /** Performs the steps before the request. The server acknowledges them all. */
  prepare(server: ServerProcess): Promise<Before>;
  /** The request that is interrupted and that the client repeats. */
  request(server: ServerProcess, before: Before): Promise<unknown>;
  /** Checks the state after the crash. `server` is a new process on the same file. */
  check(server: ServerProcess, before: Before): Promise<void>;
}

/**
 * Returns the moments at which the process is killed. The database is the same before a write as after the previous one,
 * so `.ci/run` kills the process only after writes and before the first one, and only at four of these moments because
 * a process starts after each. `.ci/nightly` kills it at all moments.
 */
function momentsOfRun(flow: string, writes: readonly string[]): ReturnType<typeof momentsOf> {
  const moments = momentsOf(writes).filter(({ side, write }) => isNightly || side === "after" || write === 1);
  return sampled(flow, moments, 2);
}

/** Adds the tests of a flow to a file. See {@link crashTests}. */
export type SurviveCrashes = <Before>(name: string, writes: readonly string[], flow: Flow<Before>) => void;

/**
 * Prepares the processes of a test file, and returns a function that adds the tests of a flow: a process is killed before
 * and after each write of the flow, or at some of these moments outside `.ci/nightly`. `writes` are the expected writes,
 * and a test fails if the flow writes anything else.
 */
export function crashTests(): SurviveCrashes {
  let servers: Servers;
  let folder: string;
  let databases = 0;
  beforeAll(async () => {
    servers = await prepareServers();
    folder = mkdtempSync(join(tmpdir(), "postern-"));
    // Seeded once; each test gets a copy.
    const seeded = await servers.start(`sqlite:${join(folder, "seeded.db")}`);
    await seeded.stop();
  });
  afterAll(async () => {
    await servers.close();
    rmSync(folder, { recursive: true });
  });

  /** Returns the URL of a new database with one user. */
  function newDatabase(): string {
    const path = join(folder, `${databases++}.db`);
    for (const suffix of ["", "-wal"])
      if (existsSync(join(folder, `seeded.db${suffix}`))) copyFileSync(join(folder, `seeded.db${suffix}`), path + suffix);
    return `sqlite:${path}`;
  }

  return (name, writes, flow) => {
    describe(name, () => {
      let database: string;
      let server: ServerProcess | undefined;
      beforeAll(() => {
        database = newDatabase();
      });
      afterAll(() => server?.stop());

      test("performs exactly the expected writes", async () => {
        server = await servers.start(database);
        const before = await flow.prepare(server);
        await server.arm();
        await flow.request(server, before);
        const { writes: written } = server;
        await expect.poll(() => written()).toEqual([...writes, ...(flow.coveredElsewhere ?? []), ...(flow.afterResponse ?? [])]);
      });

      test.each(momentsOfRun(name, writes))("survives a crash $side write $write, $name", async (moment) => {
        // Reuses the process of the previous test, because starting a process takes most of the time.
        const crashing = server ?? (await servers.start(database));
        // After this time, attempts without a recorded outcome no longer count.
        await crashing.advance(60_000);
        const before = await flow.prepare(crashing);
        await crashing.arm(moment);
        await expect(flow.request(crashing, before)).rejects.toThrow(TypeError);
        await crashing.died;
        server = await servers.start(database, crashing.ahead());
        await flow.check(server, before);
      });
    });
  };
}

import { createMemoryAdapter } from "@postern/memory";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { managerOf, type Manager } from "./api.ts";
import { createRecordingLogger } from "./child-tenants.ts";
import { createTestPostern, type TestOptions, type TestPostern } from "./postern.ts";

/** A service with a manager of its control plane. */
interface TestProcess extends TestPostern {
  readonly main: Manager;
}

async function openProcess(options: TestOptions = {}): Promise<TestProcess> {
  const service = await createTestPostern({ logger: createRecordingLogger(), ...options });
  return { ...service, main: await managerOf(service) };
}

/** Two processes on one store, with one clock. Each write takes a turn of the event loop, so that requests overlap. */
export async function openTwoProcesses(options: TestOptions = {}): Promise<readonly [TestProcess, TestProcess]> {
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (_, run) => {
    await new Promise((resolve) => setImmediate(resolve));
    return run();
  });
  const one = await openProcess({ ...options, data });
  return [one, await openProcess({ ...options, data, testing: { clock: one.clock } })];
}

/** Creates a host application whose provisioning waits until the test releases it. */
export function slowHost() {
  const [called, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let slow = true;
  const isolation = {
    getAdapters: () => undefined,
    onProvision: async () => {
      if (!slow) return;
      slow = false;
      called.resolve();
      await released.promise;
    },
  };
  return { isolation, called: called.promise, release: released.resolve, fast: () => (slow = false), slow: () => (slow = true) };
}

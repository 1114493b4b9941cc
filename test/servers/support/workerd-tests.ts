import type { RunnerTask, SerializedConfig } from "vitest";
import { startTests } from "vitest/internal/browser";

/** What became of the tests of one file. */
export interface Outcome {
  readonly passed: number;
  /** Why those that failed did, by the names of the suites and tests from the file down. */
  readonly failed: { readonly [name: string]: string };
}

/** Makes a worker that runs the test file which is its request's path, with Vitest's own runner, and answers what became of it. */
export function testWorker(
  config: SerializedConfig,
  files: { readonly [file: string]: () => Promise<unknown> },
): {
  fetch(request: Request): Promise<Response>;
} {
  return {
    async fetch(request: Request): Promise<Response> {
      const file = new URL(request.url).pathname.slice(1);
      const load = files[file];
      if (load === undefined) return new Response("no such file", { status: 404 });
      const tasks = await startTests([`${config.root}/${file}`], { config, importFile: load });
      return Response.json(outcome(tasks));
    },
  };
}

function outcome(tasks: readonly RunnerTask[]): Outcome {
  let passed = 0;
  const failed: { [name: string]: string } = {};
  const look = (task: RunnerTask): void => {
    // A suite also fails by what is in it, and has errors where it could not be read or a hook failed.
    if (task.result?.errors?.length) failed[task.fullName] = task.result.errors.map(({ message, stack }) => stack ?? message).join("\n");
    if (task.type === "suite") task.tasks.forEach(look);
    else if (task.result?.state === "pass") passed++;
  };
  tasks.forEach(look);
  return { passed, failed };
}

import type { RunnerTask, SerializedConfig } from "vitest";
import { startTests } from "vitest/internal/browser";

/** The results of the tests of one file. */
export interface TestOutcome {
  readonly passed: number;
  /** The errors of the failed suites and tests, by their full names. */
  readonly failed: { readonly [name: string]: string };
}

/**
 * Creates a worker that runs the test file in the request's path with Vitest's own runner, and responds with the {@link
 * Outcome}.
 */
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

function outcome(tasks: readonly RunnerTask[]): TestOutcome {
  let passed = 0;
  const failed: { [name: string]: string } = {};
  const collect = (task: RunnerTask): void => {
    // A suite also fails if one of its tests fails. Its `errors` are set only if it could not be loaded or a hook
    // failed.
    if (task.result?.errors?.length) failed[task.fullName] = task.result.errors.map(({ message, stack }) => stack ?? message).join("\n");
    if (task.type === "suite") task.tasks.forEach(collect);
    else if (task.result?.state === "pass") passed++;
  };
  tasks.forEach(collect);
  return { passed, failed };
}

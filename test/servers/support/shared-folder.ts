import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** The environment variable with the folder that all test files of a run share. {@link shareFolder} sets it. */
const sharedFolder = "POSTERN_TEST_SHARED_FOLDER";

/** Creates the folder that all test files share. @returns a function that deletes it. */
export function shareFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "postern-servers-"));
  process.env[sharedFolder] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * Returns a folder that `prepare` fills once in a run, also if test files in several processes need it at the same time.
 * If `prepare` fails, the next caller tries again.
 */
export async function preparedFolder(name: string, prepare: (folder: string) => Promise<unknown>): Promise<string> {
  const shared = process.env[sharedFolder];
  if (shared === undefined) throw new Error("the project has no global setup that calls shareFolder");
  const folder = join(shared, name);
  const [lock, done] = [`${folder}.lock`, `${folder}.done`];
  while (!existsSync(done)) {
    try {
      mkdirSync(lock);
    } catch {
      await wait(100);
      continue;
    }
    try {
      if (!existsSync(done)) {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
        await prepare(folder);
        writeFileSync(done, "");
      }
    } finally {
      rmSync(lock, { recursive: true });
    }
  }
  return folder;
}

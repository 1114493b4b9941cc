import { readFileSync } from "node:fs";

/**
 * Notices when the package manager that started this process is gone. `npx` ends at a SIGTERM without passing it on, and the server would live on
 * as an orphan, holding its port. Works on Linux, and does nothing where no package script started this process.
 * @param gone is called once.
 * @returns stops watching.
 */
export function watchAncestors(gone: () => void): () => void {
  if (process.platform !== "linux" || process.env["npm_lifecycle_event"] === undefined) return () => {};
  const chain = packageManagers();
  if (chain.length === 0) return () => {};
  const timer = setInterval(() => {
    if (isUnchanged(chain)) return;
    clearInterval(timer);
    gone();
  }, 250);
  timer.unref();
  return () => clearInterval(timer);
}

/** The parents of this process up to the outermost package manager. A shell above that may go: people log out and leave servers running. */
function packageManagers(): readonly number[] {
  const parents: number[] = [];
  for (let pid = parentOf(process.pid); pid !== undefined && pid > 1; pid = parentOf(pid)) parents.push(pid);
  return parents.slice(0, parents.findLastIndex(isPackageManager) + 1);
}

function isUnchanged(chain: readonly number[]): boolean {
  return chain.every((pid, index) => parentOf(index === 0 ? process.pid : (chain[index - 1] ?? 0)) === pid);
}

/** The program and its script, for example `node` and `/usr/bin/npx`, or a title such as `npm exec pnpm`. */
function isPackageManager(pid: number): boolean {
  try {
    const [program = "", script = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return [program, script].some((part) => /(?:^|\/)(?:npm|npx|pnpm|pnpx|yarn)(?:-cli)?(?:\.[cm]?js)?(?: |$)/.test(part));
  } catch {
    return false;
  }
}

function parentOf(pid: number): number | undefined {
  try {
    // The second field is the program's name in brackets and may hold anything; the state and the parent follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(parent);
  } catch {
    return undefined;
  }
}

import { readFileSync } from "node:fs";

/**
 * Detects when the package manager that started this process has ended. `npx` ends on SIGTERM without forwarding the
 * signal. The server would then continue to run as an orphan and keep its port. Works only on Linux, and only if a
 * package script started this process.
 * @param onGone called once.
 * @returns a function that stops watching.
 */
export function watchAncestors(onGone: () => void): () => void {
  if (process.platform !== "linux" || process.env["npm_lifecycle_event"] === undefined) return () => {};
  const chain = packageManagers();
  if (chain.length === 0) return () => {};
  const timer = setInterval(() => {
    if (isUnchanged(chain)) return;
    clearInterval(timer);
    onGone();
  }, 250);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Returns the parents of this process up to the outermost package manager. Excludes shells above it, which may end
 * because users log out and leave servers running.
 */
function packageManagers(): readonly number[] {
  const parents: number[] = [];
  for (let pid = parentOf(process.pid); pid !== undefined && pid > 1; pid = parentOf(pid)) parents.push(pid);
  return parents.slice(0, parents.findLastIndex(isPackageManager) + 1);
}

function isUnchanged(chain: readonly number[]): boolean {
  return chain.every((pid, index) => parentOf(index === 0 ? process.pid : (chain[index - 1] ?? 0)) === pid);
}

/**
 * Whether a process is a package manager. Its command line has a program and a script, such as `node` and
 * `/usr/bin/npx`, or a title such as `npm exec pnpm`.
 */
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
    // The second field is the name of the program in brackets and may contain any character. The state and the parent
    // follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(parent);
  } catch {
    return undefined;
  }
}

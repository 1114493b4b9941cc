/** The global values that reveal which runtime this is. */
interface RuntimeGlobals {
  readonly process?: { readonly versions?: { readonly node?: string; readonly bun?: string; readonly deno?: string } };
  readonly navigator?: { readonly userAgent?: string };
}

/**
 * Requires Node 22.18 or later if the runtime is Node. Bun, Deno and workerd also set `process.versions.node`, but
 * choose its value themselves, so it is ignored there.
 * @throws {Error} with one sentence that names the required and the actual version.
 */
export function requireSupportedNode({ process, navigator }: RuntimeGlobals = globalThis): void {
  const { node, bun, deno } = process?.versions ?? {};
  if (node === undefined || bun !== undefined || deno !== undefined || navigator?.userAgent === "Cloudflare-Workers") return;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return;
  throw new Error(`Postern needs Node 22.18 or later; this is ${node}`);
}

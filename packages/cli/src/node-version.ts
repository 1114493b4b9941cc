/** Why this version of Node cannot run Postern, in words; undefined where it can. It is told before anything else is loaded, so this file imports nothing. */
export function refusalOfNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18) ? undefined : `Postern needs Node 22.18 or later; this is ${version}`;
}

/**
 * Returns an error message if this version of Node.js cannot run Postern.
 * The check runs before any other module is loaded, so this file imports nothing.
 */
export function nodeVersionError(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18) ? undefined : `Postern needs Node 22.18 or later; this is ${version}`;
}

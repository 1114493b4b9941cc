type X509 = typeof import("@peculiar/x509");

/**
 * Loads `@peculiar/x509`. The library is large, and only creating a certificate and reading its validity need it: call this on first use.
 * The library requires a polyfill of `Reflect` metadata when it is evaluated. A polyfill of the host application is used as it is.
 */
export async function loadX509(): Promise<X509> {
  // Two dynamic imports, because bundlers may evaluate a CommonJS module after the ES modules that are imported beside it.
  if (!("getMetadata" in Reflect)) await import("reflect-metadata");
  const loaded: X509 | { readonly default: X509 } = await import("@peculiar/x509");
  // Some bundlers, esbuild for Node among them, take the package's CommonJS build and export it as `default` alone.
  return "X509Certificate" in loaded ? loaded : loaded.default;
}

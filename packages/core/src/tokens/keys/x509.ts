type X509 = typeof import("@peculiar/x509");

/**
 * Loads `@peculiar/x509`. The library is large and is needed only to create a certificate and to read its validity:
 * call this on first use. The library requires a polyfill of `Reflect` metadata when it is evaluated. If the host
 * application has loaded a polyfill, that polyfill is used.
 */
export async function loadX509(): Promise<X509> {
  // Two dynamic imports, because bundlers may evaluate a CommonJS module after the ES modules that are imported beside
  // it.
  if (!("getMetadata" in Reflect)) await import("reflect-metadata");
  const loaded: X509 | { readonly default: X509 } = await import("@peculiar/x509");
  // Some bundlers, such as esbuild for Node, use the CommonJS build of the package and export it only as `default`.
  return "X509Certificate" in loaded ? loaded : loaded.default;
}

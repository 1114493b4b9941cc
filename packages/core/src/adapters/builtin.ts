/** Node's `node:crypto`, as a type that no import is needed for. */
export type NodeCrypto = ReturnType<typeof process.getBuiltinModule<"node:crypto">>;

/**
 * `node:crypto` where the runtime has it (Node, Bun, Deno, Workers with Node compatibility), else undefined.
 * Asked for at run time, not imported, so that core loads on every runtime and in every bundler.
 * A runtime may have the module and lack single functions of it: test for a function before using one that is not in every Node since 22.18.
 */
export const nodeCrypto: NodeCrypto | undefined = nodeModule("node:crypto");

type NodeModuleName = "node:crypto" | "node:dns" | "node:http" | "node:https";

/** A module of Node where the runtime has it, else undefined. Asked for at run time, as {@link nodeCrypto} is. */
export function nodeModule<Name extends NodeModuleName>(name: Name): ReturnType<typeof process.getBuiltinModule<Name>> | undefined {
  // Both the global and the function are missing on some runtimes, which the types of Node do not say.
  const host: { readonly process?: { readonly getBuiltinModule?: typeof process.getBuiltinModule } } = globalThis;
  return host.process?.getBuiltinModule?.(name);
}

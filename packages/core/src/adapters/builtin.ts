/** The type of Node's `node:crypto` module. Declaring it does not import the module. */
type NodeCrypto = ReturnType<typeof process.getBuiltinModule<"node:crypto">>;

/**
 * The `node:crypto` module if the runtime has it (Node, Bun, Deno, Workers with Node compatibility), otherwise
 * undefined. It is looked up at run time instead of imported, so that core loads on every runtime and in every bundler.
 * A runtime may lack single functions of the module: test for a function before you use one that Node 22.18 does not
 * have.
 */
export const nodeCrypto: NodeCrypto | undefined = nodeModule("node:crypto");

type NodeModuleName = "node:crypto" | "node:dns" | "node:http" | "node:https";

/**
 * Returns a built-in module of Node if the runtime has it, otherwise undefined. The module is looked up at run time,
 * like {@link nodeCrypto}.
 */
export function nodeModule<Name extends NodeModuleName>(name: Name): ReturnType<typeof process.getBuiltinModule<Name>> | undefined {
  // Some runtimes lack `process` or `getBuiltinModule`, which Node's type declarations do not express.
  const host: { readonly process?: { readonly getBuiltinModule?: typeof process.getBuiltinModule } } = globalThis;
  return host.process?.getBuiltinModule?.(name);
}

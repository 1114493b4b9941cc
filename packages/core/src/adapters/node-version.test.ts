import { expect, test } from "vitest";
import { requireSupportedNode } from "./node-version.ts";

test.each(["20.20.2", "22.17.1", "18.0.0"])("rejects Node %s with a message that names the required and the actual version", (node) => {
  expect(() => requireSupportedNode({ process: { versions: { node } } })).toThrow(`Postern needs Node 22.18 or later; this is ${node}`);
});

test.each([
  ["Node 22.18", { process: { versions: { node: "22.18.0" } } }],
  ["Node 26", { process: { versions: { node: "26.1.0" } } }],
  ["Bun, which names an older Node", { process: { versions: { node: "20.0.0", bun: "1.2.0" } } }],
  ["Deno, which names an older Node", { process: { versions: { node: "20.0.0", deno: "2.0.0" } } }],
  ["workerd, which names an older Node", { process: { versions: { node: "20.0.0" } }, navigator: { userAgent: "Cloudflare-Workers" } }],
  ["a runtime without a process", {}],
  ["a runtime whose process names no versions", { process: {} }],
  ["this runtime", undefined],
])("accepts %s", (_, globals) => {
  expect(() => requireSupportedNode(globals)).not.toThrow();
});

/** Returns the address of the socket, from the `c.env` of each runtime's server. */
export function peerAddress(env: unknown, request: Request): string | undefined {
  // Node: { incoming: { socket: { remoteAddress } } }
  const onNode = member(member(member(env, "incoming"), "socket"), "remoteAddress");
  if (typeof onNode === "string") return onNode;
  // Deno: { remoteAddr: { hostname } }
  const onDeno = member(member(env, "remoteAddr"), "hostname");
  if (typeof onDeno === "string") return onDeno;
  // Bun: the server itself, or { server }
  const server = member(env, "server") ?? env;
  const requestIP = member(server, "requestIP");
  const onBun = typeof requestIP === "function" ? member(requestIP.call(server, request), "address") : undefined;
  return typeof onBun === "string" ? onBun : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

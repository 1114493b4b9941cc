import ipaddr from "ipaddr.js";
import { createAddressRanges, isPublicAddress, type AddressRanges } from "./addresses.ts";
import { nodeModule } from "./builtin.ts";

/** Asks another server, such as an identity provider: `fetch`, as far as core uses it. Redirects are not followed. */
export type OutboundFetch = (request: Request) => Promise<Response>;

/**
 * A server that may not be asked: its address is private, or it is not reached by https. The message is for the
 * operator, because it may name the address that a host name resolved to.
 */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
  /** The message for a tenant. Default: the same. */
  readonly publicMessage: string;

  constructor(message: string, publicMessage: string = message) {
    super(message);
    this.publicMessage = publicMessage;
  }
}

/** Bytes of an answer that are read. */
const mostBytes = 1024 * 1024;

/**
 * Makes the {@link OutboundFetch} of hosts that bring none. Settings of tenants say which servers are asked, so it reaches public addresses alone, by https: never this machine, its network or the
 * metadata service of a cloud. The address is looked at where the connection is made, so that a name which changes its address in between gains nothing.
 * Where a runtime makes no connections that can be looked at (Workers, whose `node:http` is made of `fetch`), its `fetch` is asked, and only addresses that stand in the URL are looked at.
 * @param allowed addresses and CIDR ranges that may be asked though they are private, by http as well.
 */
export function createOutboundFetch(allowed: readonly string[] = []): OutboundFetch {
  const exceptions = createAddressRanges(allowed);
  return async (request) => {
    const url = new URL(request.url);
    const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (ipaddr.isValid(literal)) checkAddress(literal, url, exceptions);
    if (url.protocol !== "https:" && url.protocol !== "http:")
      throw new ForbiddenAddressError(`'${url.protocol}' is no protocol of servers that are asked`);
    // Loading the modules takes milliseconds, which the start of the process does not need to spend.
    const dns = nodeModule("node:dns");
    const http = nodeModule(url.protocol === "https:" ? "node:https" : "node:http");
    if (http === undefined || dns === undefined || isWorkers()) return cutOff(await fetch(request, { redirect: "manual" }), url);

    const lookup: NonNullable<Parameters<typeof http.request>[1]["lookup"]> = (name, options, answer) =>
      dns.lookup(name, { ...options, all: true }, (error, addresses) => {
        try {
          if (error !== null) throw error;
          for (const { address } of addresses) checkAddress(address, url, exceptions);
          const [first] = addresses;
          if (options.all === true) answer(null, addresses);
          else answer(null, first?.address ?? "", first?.family);
        } catch (thrown) {
          answer(thrown instanceof Error ? thrown : new Error(String(thrown)), options.all === true ? [] : "");
        }
      });
    const body = new Uint8Array(await request.arrayBuffer());
    const headers = {
      ...Object.fromEntries(request.headers),
      "accept-encoding": "identity",
      ...(body.length > 0 && { "content-length": body.length }),
    };
    return new Promise<Response>((resolve, reject) => {
      // A connection of its own: one that others keep open was made without this look at the address.
      const asked = http.request(url, { method: request.method, headers, lookup, agent: false, signal: request.signal }, (answer) => {
        const chunks: Uint8Array[] = [];
        let size = 0;
        answer.on("data", (chunk: Uint8Array) => {
          size += chunk.length;
          if (size > mostBytes) asked.destroy(tooLong(url));
          else chunks.push(chunk);
        });
        answer.on("error", reject);
        answer.on("end", () => {
          try {
            resolve(toResponse(answer.statusCode ?? 0, answer.rawHeaders, chunks, size));
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
      asked.on("error", reject);
      asked.end(body);
    });
  };
}

/** Whether this is Workers, by the name that they document for it. */
function isWorkers(): boolean {
  // Some runtimes lack the global, which its types do not say.
  const host: { readonly navigator?: { readonly userAgent?: string } } = globalThis;
  return host.navigator?.userAgent === "Cloudflare-Workers";
}

/** @throws {ForbiddenAddressError} */
function checkAddress(address: string, { protocol, hostname }: URL, exceptions: AddressRanges): void {
  if (exceptions.includes(address)) return;
  const isPublic = isPublicAddress(address) === true;
  if (isPublic && protocol === "https:") return;
  if (isPublic) throw new ForbiddenAddressError(`'${hostname}' is asked by https alone`);
  const cure = "'network.allowedPrivateAddresses' allows single ones";
  throw new ForbiddenAddressError(
    `'${hostname}' has the address ${address}, which is not public. ${cure}`,
    `'${hostname}' has an address that is not public. ${cure}`,
  );
}

/** An answer whose body fails where it is longer than what is read. */
function cutOff(answer: Response, url: URL): Response {
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, body) => {
      size += chunk.length;
      if (size > mostBytes) body.error(tooLong(url));
      else body.enqueue(chunk);
    },
  });
  return new Response(answer.body?.pipeThrough(counted) ?? null, answer);
}

function tooLong({ origin }: URL): Error {
  return new Error(`the answer of ${origin} is longer than ${mostBytes} bytes`);
}

function toResponse(status: number, rawHeaders: readonly string[], chunks: readonly Uint8Array[], size: number): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const body = new Uint8Array(size);
  let filled = 0;
  for (const chunk of chunks) {
    body.set(chunk, filled);
    filled += chunk.length;
  }
  return new Response(size === 0 ? null : body, { status, headers });
}

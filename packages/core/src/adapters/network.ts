import ipaddr from "ipaddr.js";
import { createAddressRanges, isPublicAddress, type AddressRanges } from "./addresses.ts";
import { nodeModule } from "./builtin.ts";

/**
 * Sends a request to another server, such as an identity provider: `fetch`, reduced to what core needs. It does not
 * follow redirects.
 */
export type OutboundFetch = (request: Request) => Promise<Response>;

/**
 * A request to a server was not allowed, because the server's IP address is not public or the scheme is not https. The
 * message is for the operator: it may contain the IP address that a host name resolved to.
 */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
  /** The message that a tenant may see, which omits the IP address. Default: `message`. */
  readonly publicMessage: string;

  constructor(message: string, publicMessage: string = message) {
    super(message);
    this.publicMessage = publicMessage;
  }
}

/** Maximum size of a response body, in bytes. */
const maximumBytes = 1024 * 1024;

/**
 * Creates the default {@link OutboundFetch}. Because the settings of tenants name the servers, it connects only to
 * public IP addresses and only by https. So it never reaches this machine, its network or the metadata service of a
 * cloud. The IP address is checked when the connection is made. A host name that resolves to another address after an
 * earlier check therefore gains nothing.
 *
 * Workers cannot check connections, because `node:http` is built on `fetch` there. On Workers the function calls
 * `fetch` and checks only IP addresses in the URL itself.
 * @param allowed IP addresses and CIDR ranges that are allowed although they are private. Plain http is allowed for
 * them, too.
 */
export function createOutboundFetch(allowed: readonly string[] = []): OutboundFetch {
  const exceptions = createAddressRanges(allowed);
  return async (request) => {
    const url = new URL(request.url);
    const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (ipaddr.isValid(literal)) checkAddress(literal, url, exceptions);
    if (url.protocol !== "https:" && url.protocol !== "http:")
      throw new ForbiddenAddressError(`requests with the scheme '${url.protocol}' are not supported`);
    // The modules are loaded on the first request, because loading them takes milliseconds and would delay the start of
    // the process.
    const dns = nodeModule("node:dns");
    const http = nodeModule(url.protocol === "https:" ? "node:https" : "node:http");
    if (http === undefined || dns === undefined || isWorkers()) return limitSize(await fetch(request, { redirect: "manual" }), url);

    const lookup: NonNullable<Parameters<typeof http.request>[1]["lookup"]> = (name, options, callback) =>
      dns.lookup(name, { ...options, all: true }, (error, addresses) => {
        try {
          if (error !== null) throw error;
          for (const { address } of addresses) checkAddress(address, url, exceptions);
          const [first] = addresses;
          if (options.all === true) callback(null, addresses);
          else callback(null, first?.address ?? "", first?.family);
        } catch (thrown) {
          callback(thrown instanceof Error ? thrown : new Error(String(thrown)), options.all === true ? [] : "");
        }
      });
    const body = new Uint8Array(await request.arrayBuffer());
    const headers = {
      ...Object.fromEntries(request.headers),
      "accept-encoding": "identity",
      ...(body.length > 0 && { "content-length": body.length }),
    };
    return new Promise<Response>((resolve, reject) => {
      // `agent: false` makes a new connection. A pooled connection might have been made without this check of the
      // address.
      const outgoing = http.request(url, { method: request.method, headers, lookup, agent: false, signal: request.signal }, (incoming) => {
        const chunks: Uint8Array[] = [];
        let size = 0;
        incoming.on("data", (chunk: Uint8Array) => {
          size += chunk.length;
          if (size > maximumBytes) outgoing.destroy(tooLong(url));
          else chunks.push(chunk);
        });
        incoming.on("error", reject);
        incoming.on("end", () => {
          try {
            resolve(toResponse(incoming.statusCode ?? 0, incoming.rawHeaders, chunks, size));
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  };
}

/** Whether the runtime is Cloudflare Workers, by its documented user agent. */
function isWorkers(): boolean {
  // Some runtimes lack `navigator`, which the type declarations do not express.
  const host: { readonly navigator?: { readonly userAgent?: string } } = globalThis;
  return host.navigator?.userAgent === "Cloudflare-Workers";
}

/** Requires an address that requests may be sent to. @throws {ForbiddenAddressError} */
function checkAddress(address: string, { protocol, hostname }: URL, exceptions: AddressRanges): void {
  if (exceptions.includes(address)) return;
  const isPublic = isPublicAddress(address) === true;
  if (isPublic && protocol === "https:") return;
  if (isPublic) throw new ForbiddenAddressError(`'${hostname}' must be requested by https`);
  const hint = "'network.allowedPrivateAddresses' allows single addresses";
  throw new ForbiddenAddressError(
    `'${hostname}' has the address ${address}, which is not public. ${hint}`,
    `'${hostname}' has an address that is not public. ${hint}`,
  );
}

/** Limits the size of a response: reading the body fails beyond the maximum size. */
function limitSize(response: Response, url: URL): Response {
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, body) => {
      size += chunk.length;
      if (size > maximumBytes) body.error(tooLong(url));
      else body.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counted) ?? null, response);
}

function tooLong({ origin }: URL): Error {
  return new Error(`the response of ${origin} is longer than ${maximumBytes} bytes`);
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

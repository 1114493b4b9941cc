import ipaddr from "ipaddr.js";
import { createAddressRanges, isPublicAddress, type AddressRanges } from "./addresses.ts";
import { nodeModule } from "./builtin.ts";

/**
 * Sends a request to another server, such as an identity provider: `fetch`, reduced to what core needs. It does not
 * follow redirects.
 */
export type OutboundFetch = (request: Request) => Promise<Response>;

/**
 * A request to a server that is not allowed: its IP address is private, or the scheme is not https. The message is for
 * the operator, because it may contain the IP address that a host name resolved to.
 */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
  /** The message for a tenant, without the IP address. Default: the same message. */
  readonly publicMessage: string;

  constructor(message: string, publicMessage: string = message) {
    super(message);
    this.publicMessage = publicMessage;
  }
}

/** Maximum size of a response body, in bytes. */
const maximumBytes = 1024 * 1024;

/**
 * Creates the default {@link OutboundFetch}. The settings of tenants name the servers, so it connects only to public IP
 * addresses and only by https: never to this machine, its network or the metadata service of a cloud. The IP address is
 * checked when the connection is made, so a host name that changes its address between a check and the connection gains
 * nothing. A runtime whose connections cannot be checked (Workers, where `node:http` is built on `fetch`) uses its
 * `fetch`. Only IP addresses in the URL itself are checked there.
 * @param allowed IP addresses and CIDR ranges that are allowed although they are private, also by http.
 */
export function createOutboundFetch(allowed: readonly string[] = []): OutboundFetch {
  const exceptions = createAddressRanges(allowed);
  return async (request) => {
    const url = new URL(request.url);
    const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (ipaddr.isValid(literal)) checkAddress(literal, url, exceptions);
    if (url.protocol !== "https:" && url.protocol !== "http:")
      throw new ForbiddenAddressError(`requests by '${url.protocol}' are not supported`);
    // Loading the modules takes milliseconds. They are loaded here so that the start of the process does not take
    // longer.
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
      // `agent: false` makes a new connection. A connection from a pool was made without this check of the address.
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
  // Some runtimes lack the global. The types do not express that.
  const host: { readonly navigator?: { readonly userAgent?: string } } = globalThis;
  return host.navigator?.userAgent === "Cloudflare-Workers";
}

/** @throws {ForbiddenAddressError} */
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

/** Limits a response: reading its body fails after the maximum size. */
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

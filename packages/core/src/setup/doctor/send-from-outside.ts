import { withDeadline } from "../../adapters/deadline.ts";
import type { Wait } from "../../adapters/wait.ts";

/** A response that was received through the public URL. */
export interface OutsideResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The reason why there is no response, and the fix. */
interface NoResponse {
  readonly reason: string;
  readonly cure: string;
}

/** Sends a request through the public URL. Redirects are not followed, because the doctor checks them. */
export type Send = (url: string, init?: RequestInit) => Promise<OutsideResponse | NoResponse>;

/** The maximum size of a response body in bytes. Discovery documents and pages are smaller. */
const maxBytes = 1024 * 1024;

/** Creates {@link Send}. @param timeout maximum milliseconds for each request. */
export function createSender(fetch: (request: Request) => Promise<Response>, timeout: number, wait: Wait): Send {
  return async (url, init = {}) => {
    try {
      return await withDeadline(
        async (signal) => {
          const response = await fetch(new Request(url, { ...init, redirect: "manual", signal }));
          return { status: response.status, headers: response.headers, text: await readText(response) };
        },
        timeout,
        url,
        wait,
      );
    } catch (error) {
      return explainFailure(url, error);
    }
  };
}

/** Reads the body of a response. @throws {RangeError} if the body is longer than {@link maxBytes}. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new RangeError("the response is too long");
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

const byCode: { readonly [code: string]: NoResponse } = {
  ENOTFOUND: { reason: "its host name is unknown", cure: "create a DNS record for it, or correct 'issuer'" },
  EAI_AGAIN: { reason: "its host name cannot be resolved", cure: "give this machine access to a DNS server" },
  ECONNREFUSED: { reason: "no server listens there", cure: "start the server or the proxy on that port, or correct 'issuer'" },
  ECONNRESET: {
    reason: "the connection was reset",
    cure: "check the proxy's log: it may not reach the app, or expect http instead of https",
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    reason: "it does not support TLS there",
    cure: "terminate TLS at that port in the proxy, or use an http issuer for development",
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    reason: "it does not support TLS there",
    cure: "terminate TLS at that port in the proxy, or use an http issuer for development",
  },
  CERT_HAS_EXPIRED: { reason: "its certificate has expired", cure: "renew the certificate" },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: "its certificate is for another host name", cure: "get a certificate for the issuer's host" },
};

const certificates =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;

function explainFailure(url: string, error: unknown): NoResponse {
  const codes = codesOf(error);
  for (const code of codes) {
    const known = byCode[code];
    if (known !== undefined) return known;
    if (certificates.test(code))
      return {
        reason: "its certificate is not trusted by this machine",
        cure: "get one from a known authority, or add yours to NODE_EXTRA_CA_CERTS",
      };
  }
  if (error instanceof Error && error.name === "DeadlineError") {
    return {
      reason: error.message.replace(url, "it"),
      cure: "give this machine access to its own public URL: a firewall or a proxy blocks the request",
    };
  }
  return { reason: error instanceof Error ? error.message : String(error), cure: "give this machine access to its own public URL" };
}

/** Returns the codes of an error and of its causes. */
function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") codes.push(at.code);
    if (at instanceof AggregateError) codes.push(...at.errors.flatMap(codesOf));
  }
  return codes;
}

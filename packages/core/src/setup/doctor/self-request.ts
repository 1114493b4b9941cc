import { probeCookie, probeHeader, type ReceivedProbe } from "../../server/probes.ts";
import { cookieName } from "../../http/cookies.ts";
import type { DoctorContext } from "./run-checks.ts";
import { fault, ok, warning, type Finding } from "../finding.ts";
import type { OutsideResponse, Send } from "./send-from-outside.ts";

/** An IP address that is reserved for documentation (RFC 5737). */
const forgedAddress = "203.0.113.77";

/** Security headers, which a proxy or middleware must not remove or replace. */
const securityHeaders = [
  "content-security-policy",
  "x-content-type-options",
  "referrer-policy",
  "cache-control",
  "strict-transport-security",
];

/**
 * Sends a request for the login page through the public URL. Compares the request that was sent with the request that
 * arrived, and the response that was sent with the response that arrived.
 */
export async function checkSelfRequest(context: DoctorContext, send: Send): Promise<readonly Finding[]> {
  const { installation } = context;
  const { urls } = installation;
  // A page has a content security policy and a cookie, and must not be cached.
  const [outside, received] = await probe(context, (headers) =>
    send(`${urls.issuer}u/login`, { headers: { ...headers, accept: "text/html" } }),
  );
  if ("reason" in outside) return [fault("connection", `the login page does not respond: ${outside.reason}`, outside.cure)];
  if (received === undefined) {
    return [
      isCached(outside)
        ? fault("cache", "the login page comes from a cache", "configure the proxy or CDN to respect Cache-Control: no-store")
        : warning(
            "proxy",
            "another process responds at the public URL, or a proxy removes unknown headers: forwarded requests could not be checked",
            "run the doctor in the process that serves requests",
          ),
    ];
  }
  return [
    ...hostFindings(urls.host, urls.issuer, received),
    ...(await proxyFindings(context, send, received)),
    ...cookieFindings(cookieName(urls, probeCookie), received, outside),
    ...headerFindings(received, outside),
  ];
}

/** Sends a form to the token endpoint through the public URL, as OAuth clients do. */
export async function checkPostedForm(context: DoctorContext, send: Send): Promise<readonly Finding[]> {
  const { urls } = context.installation;
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: "doctor", client_secret: "none" }).toString();
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const outside = await send(`${urls.issuer}oauth/token`, { method: "POST", headers: form, body });
  if ("reason" in outside) {
    return [
      fault(
        "body",
        `the token endpoint does not respond to a form: ${outside.reason}`,
        "mount the service before body parsers: a body can be read only once",
      ),
    ];
  }
  if (/"error":"invalid_client"/.test(outside.text)) return [ok("body", "forms arrive completely")];
  return [
    fault(
      "body",
      `a form arrives at the token endpoint without its fields: ${outside.status}`,
      "mount the service before body parsers, and check that no proxy removes bodies",
    ),
  ];
}

async function probe<T>({ installation, probes }: DoctorContext, send: (headers: { readonly [name: string]: string }) => Promise<T>) {
  const token = installation.random.token(32);
  probes.expect(token);
  const outside = await send({ [probeHeader]: token });
  return [outside, probes.take(token)] as const;
}

function hostFindings(host: string, issuer: string, { requestInfo }: ReceivedProbe): readonly Finding[] {
  if (requestInfo.hostname === host.toLowerCase()) return [ok("host", "requests arrive with the issuer's host")];
  return [
    warning(
      "host",
      `a request for '${issuer}' arrives with the host '${requestInfo.hostname}'`,
      "configure the proxy to forward Host, or to set X-Forwarded-Host and be listed in 'trustedProxies': otherwise custom domains do not work",
    ),
  ];
}

async function proxyFindings(context: DoctorContext, send: Send, { requestInfo }: ReceivedProbe): Promise<readonly Finding[]> {
  const { urls } = context.installation;
  if (requestInfo.sharedIp) {
    return [
      warning(
        "proxy",
        "a proxy that is not in 'trustedProxies' sends X-Forwarded-For: all users behind it share one IP address",
        "add the proxy's address to 'trustedProxies': docs/operations.md#behind-a-proxy",
      ),
    ];
  }
  const [, forged] = await probe(context, (headers) =>
    send(`${urls.issuer}.well-known/openid-configuration`, { headers: { ...headers, "x-forwarded-for": forgedAddress } }),
  );
  // A trusted proxy adds the address that it sees, which is the same for both requests.
  if (forged === undefined || forged.requestInfo.ip === requestInfo.ip) return [ok("proxy", "clients cannot forge their IP address")];
  return [
    warning(
      "proxy",
      "a forged IP address is accepted: clients that send requests from an address in 'trustedProxies' can forge theirs",
      "list only your proxies in 'trustedProxies'. If this machine is one of them, ignore this warning",
    ),
  ];
}

function cookieFindings(name: string, { cookie }: ReceivedProbe, { headers }: OutsideResponse): readonly Finding[] {
  const lines = headers.getSetCookie();
  const came = lines.find((line) => line.startsWith(`${name}=`));
  if (came === cookie) return [ok("cookie", "cookies arrive unchanged")];
  if (came === undefined) {
    return [
      fault(
        "cookie",
        "cookies do not reach browsers: users cannot sign in",
        "configure the proxy to forward Set-Cookie without renaming cookies",
      ),
    ];
  }
  const attributes = (line: string): readonly string[] => line.split(/; */).slice(1);
  const [set, seen] = [attributes(cookie), attributes(came)];
  const changed = [...set.filter((one) => !seen.includes(one)), ...seen.filter((one) => !set.includes(one))];
  return [
    fault(
      "cookie",
      `cookies are changed before they reach browsers: ${changed.join(", ")}`,
      "configure the proxy to forward Set-Cookie unchanged, without rewriting Path, Domain, Secure or SameSite",
    ),
  ];
}

function headerFindings(received: ReceivedProbe, outside: OutsideResponse): readonly Finding[] {
  if (outside.headers.get("x-request-id") !== received.headers["x-request-id"] || isCached(outside)) {
    return [fault("cache", "the login page comes from a cache", "configure the proxy or CDN to respect Cache-Control: no-store")];
  }
  const changed = securityHeaders.filter((name) => (received.headers[name] ?? null) !== outside.headers.get(name));
  if (changed.length === 0) return [ok("headers", "security headers arrive unchanged")];
  return [
    fault(
      "headers",
      `these headers of the login page are replaced before they reach browsers: ${changed.join(", ")}`,
      "mount the service before middleware that sets security headers, such as helmet, and configure the proxy not to change them",
    ),
  ];
}

function isCached({ headers }: OutsideResponse): boolean {
  return headers.has("age") || /\bhit\b/i.test(headers.get("x-cache") ?? "") || /\bhit\b/i.test(headers.get("cf-cache-status") ?? "");
}

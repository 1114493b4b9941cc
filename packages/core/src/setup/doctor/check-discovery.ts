import type { DoctorContext } from "./run-checks.ts";
import { fault, ok, warning, type Finding } from "../finding.ts";
import type { OutsideResponse, Send } from "./send-from-outside.ts";

const path = ".well-known/openid-configuration";

/** Milliseconds by which two clocks may differ. */
const maxDrift = 60_000;

/** Requests the discovery document and the keys through the public URL. */
export async function checkDiscovery({ installation, respond }: DoctorContext, send: Send): Promise<readonly Finding[]> {
  const { urls } = installation;
  const address = urls.issuer + path;
  const found = await send(address);
  if ("reason" in found) return [fault("connection", `'${urls.issuer}' does not respond: ${found.reason}`, found.cure)];
  const redirect = checkRedirect(address, found);
  if (redirect !== undefined) return [redirect];
  const document = found.status === 200 ? parse(found.text) : undefined;
  if (document === undefined) return [await explainMissingDocument(urls.issuer, found, send)];
  if (document["issuer"] !== urls.issuer) {
    return [
      fault(
        "issuer",
        `'${urls.issuer}' reaches a service with the issuer '${String(document["issuer"]).slice(0, 200)}'`,
        "set 'issuer' to exactly the URL that users open",
      ),
    ];
  }
  const jwks = `${urls.issuer}.well-known/jwks.json`;
  const [outside, inside] = [await send(jwks), await (await respond(new Request(jwks))).text()];
  if ("reason" in outside || kidsOf(outside.text) !== kidsOf(inside)) {
    return [
      fault(
        "installation",
        `'${urls.issuer}' reaches another installation, with different keys`,
        "route the URL to this process, or use the same database for both",
      ),
    ];
  }
  const findings = [ok("issuer", `'${urls.issuer}' reaches this installation`)];
  const date = Date.parse(found.headers.get("date") ?? "");
  const drift = date - installation.now();
  if (Math.abs(drift) > maxDrift) {
    findings.push(
      warning(
        "clock",
        `the clock of '${urls.issuer}' is ${Math.round(Math.abs(drift) / 1000)} s ${drift > 0 ? "ahead of" : "behind"} this process's`,
        "synchronize all machines with NTP: tokens are only valid for minutes",
      ),
    );
  }
  const origins = found.headers.get("access-control-allow-origin");
  if (origins !== "*") {
    findings.push(
      warning(
        "cors",
        `the header Access-Control-Allow-Origin of the discovery document is '${origins ?? ""}'`,
        "remove middleware and proxy settings that set CORS headers on Postern's URLs: Postern sets them itself",
      ),
    );
  }
  return findings;
}

function checkRedirect(address: string, { status, headers }: OutsideResponse): Finding | undefined {
  // `fetch` in a browser hides the target of a redirect: the status is 0.
  if (status !== 0 && (status < 300 || status > 399)) return undefined;
  const location = headers.get("location") ?? "";
  const target = URL.canParse(location, address) ? new URL(location, address) : undefined;
  const from = new URL(address);
  if (target?.protocol === "https:" && from.protocol === "http:" && target.hostname === from.hostname) {
    return fault(
      "scheme",
      `'${address}' is redirected to https`,
      "set 'issuer' to the https URL: its scheme determines the names and attributes of cookies",
    );
  }
  if (target?.protocol === "http:" && from.protocol === "https:") {
    return fault("scheme", `'${address}' is redirected to http`, "configure the proxy to forward https requests without a redirect");
  }
  return fault(
    "redirect",
    `'${address}' is redirected to '${location.slice(0, 200)}'`,
    "set 'issuer' to the target of the redirect, or exclude its path from the redirect",
  );
}

/** Finds out why the response is not a discovery document. */
async function explainMissingDocument(issuer: string, { status, text, headers }: OutsideResponse, send: Send): Promise<Finding> {
  const { origin, pathname } = new URL(issuer);
  for (const mount of ["/", pathname.replace(/[^/]+\/$/, ""), `${pathname}${pathname.slice(1)}`]) {
    if (mount === pathname) continue;
    const elsewhere = await send(origin + mount + path);
    if ("reason" in elsewhere || elsewhere.status !== 200 || parse(elsewhere.text)?.["issuer"] !== issuer) continue;
    return fault(
      "mount",
      `the service responds at '${origin + mount}' instead of '${issuer}': something removes a part of the path or adds to it`,
      "configure the handler and the proxy to keep the whole path: it is part of the issuer",
    );
  }
  if (status === 502 || status === 503 || status === 504) {
    return fault(
      "connection",
      `'${issuer}' responds with ${status}: a proxy does not reach the app`,
      "configure the proxy to forward to the address that the app listens on",
    );
  }
  if (status === 401 || status === 403) {
    return fault(
      "mount",
      `'${issuer}' responds with ${status}: something in front of the service requires a login or denies access`,
      "exclude the issuer's path from it",
    );
  }
  if (status === 404) {
    return fault(
      "mount",
      `'${issuer}' responds with 404: no handler is mounted there`,
      `mount the handler so that its requests have the path '${pathname}', before any catch-all handler`,
    );
  }
  const kind = (headers.get("content-type") ?? "no content type").split(";", 1)[0];
  return fault(
    "issuer",
    `'${issuer}' reaches something else: ${status}, ${kind}${text.startsWith("<") ? ", a page" : ""}`,
    "set 'issuer' to the URL of this service, and mount it before any catch-all handler",
  );
}

function parse(text: string): { readonly [name: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "issuer" in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function kidsOf(text: string): string {
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: readonly { readonly kid?: string }[] };
    return (keys ?? [])
      .map(({ kid = "" }) => kid)
      .toSorted()
      .join(" ");
  } catch {
    return "no keys";
  }
}

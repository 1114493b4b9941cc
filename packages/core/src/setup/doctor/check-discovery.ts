import type { DoctorContext } from "./run-checks.ts";
import { fault, ok, warning, type Finding } from "../finding.ts";
import type { OutsideResponse, Send } from "./send-from-outside.ts";

const path = ".well-known/openid-configuration";

/** Milliseconds that two clocks may differ. */
const maxDrift = 60_000;

/** Requests the discovery document and the keys through the public URL. */
export async function checkDiscovery({ installation, respond }: DoctorContext, send: Send): Promise<readonly Finding[]> {
  const { urls } = installation;
  const address = urls.issuer + path;
  const found = await send(address);
  if ("reason" in found) return [fault("connection", `'${urls.issuer}' does not answer: ${found.reason}`, found.cure)];
  const redirect = checkRedirect(address, found);
  if (redirect !== undefined) return [redirect];
  const document = found.status === 200 ? parse(found.text) : undefined;
  if (document === undefined) return [await explainMissingDocument(urls.issuer, found, send)];
  if (document["issuer"] !== urls.issuer) {
    return [
      fault(
        "issuer",
        `at '${urls.issuer}' answers a service that calls itself '${String(document["issuer"]).slice(0, 200)}'`,
        "make 'issuer' the address that people use, character by character",
      ),
    ];
  }
  const jwks = `${urls.issuer}.well-known/jwks.json`;
  const [outside, inside] = [await send(jwks), await (await respond(new Request(jwks))).text()];
  if ("reason" in outside || kidsOf(outside.text) !== kidsOf(inside)) {
    return [
      fault(
        "installation",
        `at '${urls.issuer}' answers another installation: its keys are not the keys of this one`,
        "let the address lead to this process, or let both use one database",
      ),
    ];
  }
  const findings = [ok("issuer", `'${urls.issuer}' is answered by this installation`)];
  const date = Date.parse(found.headers.get("date") ?? "");
  const drift = date - installation.now();
  if (Math.abs(drift) > maxDrift) {
    findings.push(
      warning(
        "clock",
        `the clock of '${urls.issuer}' is ${Math.round(Math.abs(drift) / 1000)} s ${drift > 0 ? "ahead of" : "behind"} this process's`,
        "let all machines keep time by NTP: tokens are good for minutes",
      ),
    );
  }
  const origins = found.headers.get("access-control-allow-origin");
  if (origins !== "*") {
    findings.push(
      warning(
        "cors",
        `the header Access-Control-Allow-Origin of the discovery document is '${origins ?? ""}'`,
        "let no middleware and no proxy set CORS headers on the service's addresses: it sets its own",
      ),
    );
  }
  return findings;
}

function checkRedirect(address: string, { status, headers }: OutsideResponse): Finding | undefined {
  // The fetch of a browser hides the target of a redirect: the status is 0.
  if (status !== 0 && (status < 300 || status > 399)) return undefined;
  const location = headers.get("location") ?? "";
  const target = URL.canParse(location, address) ? new URL(location, address) : undefined;
  const from = new URL(address);
  if (target?.protocol === "https:" && from.protocol === "http:" && target.hostname === from.hostname) {
    return fault(
      "scheme",
      `'${address}' is redirected to https`,
      "make the issuer the https address: cookies are named and marked by its scheme",
    );
  }
  if (target?.protocol === "http:" && from.protocol === "https:") {
    return fault("scheme", `'${address}' is redirected to http`, "let the proxy hand on https requests without redirecting them");
  }
  return fault(
    "redirect",
    `'${address}' is redirected to '${location.slice(0, 200)}'`,
    "make 'issuer' the address where no redirect is, or exempt its path from the redirect",
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
      `the service answers at '${origin + mount}' and not at '${issuer}': something cuts the path off or adds to it`,
      "let the handler and the proxy leave the path whole: it is part of the issuer",
    );
  }
  if (status === 502 || status === 503 || status === 504) {
    return fault(
      "connection",
      `'${issuer}' answers ${status}: a proxy there does not reach the app`,
      "let the proxy lead to the address that the app listens on",
    );
  }
  if (status === 401 || status === 403) {
    return fault(
      "mount",
      `'${issuer}' answers ${status}: something in front of the service asks for a login or refuses it`,
      "exempt the issuer's path from it",
    );
  }
  if (status === 404) {
    return fault(
      "mount",
      `'${issuer}' answers 404: nothing is served there`,
      `mount the handler where its requests come with the path '${pathname}', before a handler that answers everything`,
    );
  }
  const kind = (headers.get("content-type") ?? "no content type").split(";", 1)[0];
  return fault(
    "issuer",
    `at '${issuer}' answers something else: ${status}, ${kind}${text.startsWith("<") ? ", a page" : ""}`,
    "make 'issuer' the address of this service, and mount it before handlers that answer everything",
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

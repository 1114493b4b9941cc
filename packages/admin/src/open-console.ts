import { createSessions, type Service, type Sessions } from "@postern/app";
import { createAssetFiles, type AssetFiles } from "./assets/asset-files.ts";
import type { AdminFinding, AdminOptions } from "./admin-options.ts";
import { pageHeaders } from "./console-headers.ts";
import { consoleScopes } from "./console-scopes.ts";
import { createFormTokens, type FormTokens } from "./form-token.ts";

/** The parts of a console that its requests share. */
export interface OpenedConsole {
  readonly service: Service;
  readonly sessions: Sessions;
  readonly assets: AssetFiles;
  readonly formTokens: FormTokens;
  /** The headers of every page. */
  readonly headers: { readonly [name: string]: string };
  findings(): Promise<readonly AdminFinding[] | undefined>;
}

/** In milliseconds. The checks of the setup send requests. */
const findingsLifetime = 60_000;

/** Creates the parts of a console. */
export async function openConsoleParts(service: Service, app: URL, options: AdminOptions): Promise<OpenedConsole> {
  const { tenantId, clientId, clientSecret, secret, store, scopes = [], now = Date.now } = options;
  const scope = ["openid", "profile", "email", "offline_access", ...new Set([...consoleScopes, ...scopes])].join(" ");
  const sessions = createSessions({
    postern: service,
    tenantId,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    appUrl: app.href,
    secret,
    store,
    scope,
    audience: `${service.issuer}api/v2/`,
    cookieName: "postern_console",
    now,
  });
  return {
    service,
    sessions,
    assets: await createAssetFiles(),
    formTokens: createFormTokens(typeof secret === "string" ? [secret] : secret),
    headers: pageHeaders(service.issuer),
    findings: shareFindings(options.findings, now),
  };
}

/** Shares the findings of one run between the requests of a minute. A run that fails has no findings. */
function shareFindings(run: AdminOptions["findings"], now: () => number): OpenedConsole["findings"] {
  let last: { readonly at: number; readonly found: Promise<readonly AdminFinding[] | undefined> } | undefined;
  return async () => {
    if (run === undefined) return undefined;
    if (last === undefined || now() - last.at > findingsLifetime) last = { at: now(), found: run().catch(() => undefined) };
    return last.found;
  };
}

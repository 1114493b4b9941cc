import type { Probes } from "../../server/probes.ts";
import { checkSecret, WrongSecretError } from "../../tenants/key-ring.ts";
import { findTenant, type Installation } from "../../tenants/installation.ts";
import { requireDataStore } from "./readiness.ts";
import { isUnavailable } from "../../store/conflicts.ts";
import { DeadlineError } from "../../adapters/deadline.ts";
import { fault, ok, warning, type Finding } from "../finding.ts";
import { createSender, type Send } from "./send-from-outside.ts";
import { checkSelfRequest, checkPostedForm } from "./self-request.ts";
import { checkDiscovery } from "./check-discovery.ts";
import { checkFactorPolicies } from "./factor-policies.ts";
import { checkExternalClients } from "./external-clients.ts";
import { checkOverriddenClients } from "./overridden-clients.ts";

/** Options of `postern.doctor`. */
export interface DoctorOptions {
  /** Sends the doctor's requests. Default: the runtime's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Milliseconds that each request may take. Default: 5,000. */
  readonly timeout?: number;
  /**
   * `factors`: checks only the policies of all tenants that require a second factor, and names every tenant whose users
   * cannot satisfy them. Sends no request, so that it can run before this version serves requests. Default: all checks.
   */
  readonly only?: "factors";
}

/** The service that the doctor checks. */
export interface DoctorContext {
  readonly installation: Installation;
  readonly probes: Probes;
  /** Requires that the schema of the data store fits this version. */
  readonly checkData: () => Promise<void>;
  /** Responds to a request in this process. */
  readonly respond: (request: Request) => Promise<Response>;
}

/**
 * Checks the service in this process, and through its public URL.
 * @returns the findings, errors first. Never rejects: a failed check is reported as a finding.
 */
export async function runDoctorChecks(context: DoctorContext, options: DoctorOptions = {}): Promise<readonly Finding[]> {
  const { fetch: send = (request) => fetch(request), timeout = 5000, only } = options;
  const { installation } = context;
  const store = await checkStore(context);
  const isReadable = store.every(({ check, level }) => check !== "data" || level === "ok");
  const stored = isReadable ? await checkTenants(installation.jobs, only) : [];
  if (only === "factors") return errorsFirst(isReadable ? stored : store);
  const inProcess = [...store, ...stored, ...checkSettings(installation)];
  const throughPublicUrl = await checkPublicUrl(context, createSender(send, timeout, installation.host.wait));
  return errorsFirst([...inProcess, ...throughPublicUrl]);
}

function errorsFirst(findings: readonly Finding[]): readonly Finding[] {
  const order = { error: 0, warning: 1, ok: 2 };
  return findings.toSorted((one, other) => order[one.level] - order[other.level]);
}

async function checkTenants(installation: Installation, only: DoctorOptions["only"]): Promise<readonly Finding[]> {
  try {
    if (only === "factors") return await checkFactorPolicies(installation, Infinity);
    return [
      ...(await checkFactorPolicies(installation)),
      ...(await checkOverriddenClients(installation)),
      ...(await checkExternalClients(installation)),
    ];
  } catch (error) {
    return [fault("data", `the tenants cannot be read: ${reasonOf(error)}`, "make the data store reachable, or run its migrations")];
  }
}

async function checkStore(context: DoctorContext): Promise<readonly Finding[]> {
  const { installation } = context;
  const { collections, secrets, defaultTenantId } = installation;
  try {
    await requireDataStore(context);
  } catch (error) {
    if (error instanceof WrongSecretError) return [dataReady, wrongSecret(error)];
    if (error instanceof DeadlineError || isUnavailable(error))
      return [fault("data", `the data store does not respond: ${reasonOf(error)}`, "make the data store reachable, or run its migrations")];
    return [
      fault(
        "data",
        `the data store does not have what this version needs: ${reasonOf(error)}`,
        "run its migrations, or make the data store reachable",
      ),
    ];
  }
  const findings = [dataReady];
  try {
    // The data store may contain values of another secret since `requireDataStore` succeeded once.
    await checkSecret(collections, secrets.sealer);
    findings.push(ok("secret", "the secret decrypts the stored values"));
  } catch (error) {
    if (!(error instanceof WrongSecretError))
      return [fault("data", `the data store does not respond: ${reasonOf(error)}`, "make the data store reachable, or run its migrations")];
    findings.push(wrongSecret(error));
  }
  if (defaultTenantId !== undefined && (await findTenant(installation, defaultTenantId)) === undefined) {
    findings.push(
      fault(
        "tenant",
        `the tenant '${defaultTenantId}' in 'defaultTenantId' does not exist`,
        `create it: await postern.seed({ tenantId: '${defaultTenantId}' })`,
      ),
    );
  }
  return findings;
}

const dataReady = ok("data", "the data store has what this version needs");

function wrongSecret(error: WrongSecretError): Finding {
  return fault("secret", error.message, "add the secret that encrypted it to the key ring: docs/keys.md#the-sealing-secret");
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function checkSettings({ urls, host }: Installation): readonly Finding[] {
  const findings: Finding[] = [];
  if (host.mail === undefined) {
    findings.push(
      warning(
        "mail",
        "no mail sender is configured: users cannot reset passwords or verify email addresses",
        "pass 'messages.mail': docs/mail-and-sms.md",
      ),
    );
  }
  if (!urls.secure && !isLocal(new URL(urls.issuer).hostname)) {
    findings.push(
      fault(
        "scheme",
        `the issuer '${urls.issuer}' is http: passwords and tokens are sent unencrypted`,
        "use an https URL; a proxy can terminate TLS in front of the app",
      ),
    );
  }
  return findings;
}

function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || hostname.startsWith("127.");
}

async function checkPublicUrl(context: DoctorContext, send: Send): Promise<readonly Finding[]> {
  const discovery = await checkDiscovery(context, send);
  // The other checks need a response from this service.
  if (discovery.some(({ level }) => level === "error")) return discovery;
  return [...discovery, ...(await checkSelfRequest(context, send)), ...(await checkPostedForm(context, send))];
}

import { ForbiddenAddressError } from "../../adapters/network.ts";
import { createUrls } from "../../http/urls.ts";
import { deliverableUrls } from "../../identity/sessions/logout-settings.ts";
import { auditClient, toLogRow } from "../../logs/audit.ts";
import { faultText } from "../../logs/fault-text.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { AuditEvent } from "../../model/logs/audit-event.ts";
import type { Collections } from "../../store/contract.ts";
import type { StoredRow } from "../../store/schema.ts";
import { logoutTokenClaims } from "../../tokens/logout-token.ts";
import { signJwt } from "../../tokens/sign.ts";
import { attemptDelivery, type DeliveryQueue } from "../delivery/attempt.ts";
import { postDelivery, UnsuccessfulResponse } from "../delivery/post.ts";
import type { BatchResult, DeliverySource } from "../delivery/round-robin.ts";
import { findTenant, type Installation } from "../installation.ts";
import { RequestTenant } from "../tenant.ts";

type Delivery = StoredRow<"logout_deliveries">;

/** Deliveries per turn of a client, all at the same time. */
const batchSize = 20;

/** Milliseconds before the next attempt, by the number of failures. After the last one, a delivery is given up. */
const pauses = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];

/** Request data for audit events of deliveries, which do not belong to a request. */
const noRequest = { requestId: "logouts", ip: undefined, sharedIp: false, userAgent: "", hostname: "", acceptLanguage: "" };

const nothingDue: BatchResult = { delivered: 0, failed: 0, due: "none" };

/** A delivery that no later attempt can complete without a change of the settings. */
class UndeliverableError extends Error {
  override readonly name = "UndeliverableError";
}

/**
 * The due logout tokens for one client. They have no order: a failure delays no other delivery. Each token is signed when it
 * is sent.
 */
export class LogoutSource implements DeliverySource {
  readonly #installation: Installation;
  readonly #collections: Collections;
  readonly #queue: DeliveryQueue<Pick<Delivery, "state">>;
  readonly #tenantId: string;
  readonly #clientId: string;

  constructor(
    installation: Installation,
    collections: Collections,
    { tenantId, clientId }: { readonly tenantId: string; readonly clientId: string },
  ) {
    this.#installation = installation;
    this.#collections = collections;
    this.#queue = {
      destination: "the logout URL of a client",
      records: collections.logout_deliveries,
      open: { state: "open" },
      retry: (failures, error) => (isFinal(error) ? undefined : pauses[failures - 1]),
      deadline: 5000,
      giveUp: { state: "failed" },
    };
    this.#tenantId = tenantId;
    this.#clientId = clientId;
  }

  async deliverBatch(): Promise<BatchResult> {
    const now = { lte: this.#installation.now() };
    const due = await this.#collections.logout_deliveries.find({
      where: { tenant_id: this.#tenantId, client_id: this.#clientId, state: "open", next_at: now, leased_until: now },
      limit: batchSize,
    });
    const entry = due.length === 0 ? undefined : await findTenant(this.#installation, this.#tenantId);
    // A tenant that is being deleted sends nothing.
    if (entry === undefined) return nothingDue;
    const tenant = new RequestTenant(this.#installation, entry, this.#installation.urls, noRequest);
    const client = await tenant.client(this.#clientId);
    const results = await Promise.all(due.map((delivery) => this.#deliver(tenant, client, delivery)));
    const delivered = results.filter((result) => result === "delivered").length;
    return { delivered, failed: results.includes("failed") ? 1 : 0, due: due.length === batchSize ? "now" : "none" };
  }

  async #deliver(
    tenant: RequestTenant,
    client: RegisteredClient | undefined,
    delivery: Delivery,
  ): Promise<"delivered" | "failed" | "none"> {
    const attempt = await attemptDelivery(this.#installation, this.#queue, delivery, {
      send: (signal) => this.#send(tenant, client, delivery, signal),
      accepted: async () => "delete",
    });
    if (attempt.kind === "delivered" || attempt.kind === "failed") {
      const lag = this.#installation.now() - delivery.created_at;
      this.#installation.host.telemetry?.recordDelivery("logout_tokens", lag, attempt.kind === "failed" ? "error" : "ok");
    }
    if (attempt.kind === "delivered") {
      await this.#audit(client, delivery, { type: "oidc_backchannel_logout_succeeded" });
      return "delivered";
    }
    if (attempt.kind === "expired") await this.#reportGivenUp(client, delivery, "the delivery expired before an attempt succeeded");
    if (attempt.kind !== "failed") return "none";
    const { error, failures, isGivenUp } = attempt;
    const { tenant_id, client_id, id } = delivery;
    const facts = { tenant_id, client_id, delivery: id, failures, given_up: isGivenUp, error };
    this.#installation.host.logger.log({ level: "warn", event: "logout_delivery_failed", ...facts });
    if (isGivenUp) await this.#reportGivenUp(client, delivery, faultText(error));
    return "failed";
  }

  /** @throws if the client does not accept the token. */
  async #send(tenant: RequestTenant, client: RegisteredClient | undefined, delivery: Delivery, signal: AbortSignal): Promise<void> {
    const { client_id: clientId, url, issuer } = delivery;
    if (client === undefined || !deliverableUrls(client.settings.oidc_logout ?? {}).includes(url))
      throw new UndeliverableError("the client no longer has this logout URL");
    if (!(await tenant.hasIssuer(issuer))) throw new UndeliverableError("the tenant no longer has the issuer of the session");
    const { urls } = this.#installation;
    const signing = new RequestTenant(this.#installation, tenant, issuer === urls.issuer ? urls : createUrls(issuer), noRequest);
    const key = await signing.signing.signer(client.settings.jwt_configuration.alg);
    const claims = logoutTokenClaims({
      issuer,
      tenantId: this.#tenantId,
      clientId,
      userId: delivery.user_id,
      sessionId: delivery.session_id,
      id: tenant.random.record(),
      issuedAt: Math.floor(tenant.now() / 1000),
      sessionMetadata: delivery.session_metadata,
    });
    const body = new URLSearchParams({ logout_token: await signJwt(key, tenant.keys, claims, "logout+jwt") }).toString();
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    await postDelivery(tenant.host, { url, headers, body, signal });
  }

  async #reportGivenUp(client: RegisteredClient | undefined, delivery: Delivery, reason: string): Promise<void> {
    await this.#audit(client, delivery, { type: "oidc_backchannel_logout_failed", description: reason });
  }

  async #audit(
    client: RegisteredClient | undefined,
    { tenant_id: tenantId, id, client_id, user_id, session_id, url, initiator }: Delivery,
    event: Pick<AuditEvent, "type" | "description">,
  ): Promise<void> {
    const about = client === undefined ? { client: { client_id, name: "" } } : auditClient(client);
    const details = { delivery: id, session_id, url, initiator };
    const row = toLogRow(this.#installation, { ...event, ...about, user: { user_id, name: "" }, details }, noRequest);
    await this.#installation.audit.write({ ...row, tenant_id: tenantId });
  }
}

/**
 * Whether the error of an attempt is final: the client refuses the token with 400 (OpenID Connect Back-Channel Logout 1.0,
 * section 2.8), its URL is not allowed, or the settings changed.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof UnsuccessfulResponse) return error.status === 400;
  return error instanceof ForbiddenAddressError || error instanceof UndeliverableError;
}

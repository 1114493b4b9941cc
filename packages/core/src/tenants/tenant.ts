import { findOne } from "../store/find-one.ts";
import { readAll } from "../store/read-all.ts";
import { schema, type Row, type TenantCollectionName } from "../store/schema.ts";
import type { TenantData } from "../store/tenant-data.ts";
import { toLogRow } from "../logs/audit.ts";
import type { AuditEvent } from "../model/logs/audit-event.ts";
import type { RequestInfo } from "../context.ts";
import type { HostServices, ProcessState, Secrets, ServiceConfig, TenantContext, TenantMessages } from "../context.ts";
import type { RandomValues } from "../adapters/random.ts";
import type { UpstreamClient } from "../identity/providers/provider.ts";
import { findRelyingParty, relatedOrigins, type RelyingParty, type RelyingPartyDomain } from "../identity/webauthn/relying-party.ts";
import type { KeyStore } from "../tokens/keys/signing-keys.ts";
import type { TokenVerifier } from "../tokens/verify.ts";
import type { Documents } from "../http/document.ts";
import type { Urls } from "../http/urls.ts";
import type { Translations } from "../locales/translations.ts";
import { customPageTexts, type CustomPageTexts } from "../model/prompts/custom-texts.ts";
import { customDomainSettings } from "../model/tenant/custom-domains.ts";
import type { SupportedTenantSettings } from "../model/tenant/settings.ts";
import { managementIdentifier, systemIdentifier } from "./audience.ts";
import { Connections } from "./connections.ts";
import { TenantDirectory } from "./directory.ts";
import { createCache, type CacheKey } from "./cache.ts";
import { clientOfDocument, documentForAdministrator } from "./external-clients/document-client.ts";
import type { Caller } from "./callers/caller.ts";
import type { ManagedTenants } from "./lifecycle/managed-tenants.ts";
import { isIssuerOf, verifiedDomains } from "./hosts.ts";
import { findApi, isReservedIdentifier } from "./inherit/apis.ts";
import { withFallback } from "./inherit/clients.ts";
import { inheritedTenantOf, type InheritedTenant } from "./inherit/inherited-tenant.ts";
import { admitLoginSession } from "./login-session-budget.ts";
import { openNewNumberBudget, type NewNumberBudget, type NewNumberMessage } from "./new-number-budget.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { isExternal } from "../model/clients/external.ts";
import type { ClientDocument } from "../model/clients/registration.ts";
import { registrationMode, type RegistrationMode } from "./external-clients/registration-mode.ts";
import { admitRegistration } from "./external-clients/stranger-limits.ts";
import { TenantSettingsCache, type CachedApi } from "./settings-cache.ts";
import { ControlPlaneSync } from "./sync/control-plane-sync.ts";
import { TenantKeys } from "./keys/tenant-keys.ts";
import { tenantMail, type TenantMail } from "./tenant-mail.ts";
import { changeTenant, findTenant, findTenantOfOrganization, type Installation, type TenantEntry } from "./installation.ts";
import { internalClientId } from "../model/clients/client-id.ts";

/**
 * A tenant in the context of a request. Applies inheritance and caching, so that callers do not need to know where a
 * value comes from.
 */
export class RequestTenant implements TenantContext {
  readonly id: string;
  readonly record: Row<"tenants">;
  readonly settings: SupportedTenantSettings;
  readonly data: TenantData;
  /** The URLs of the host that received the request. */
  readonly urls: Urls;
  readonly requestInfo: RequestInfo;
  readonly #installation: Installation;
  readonly #own: TenantSettingsCache;

  constructor(installation: Installation, { record, settings }: TenantEntry, urls: Urls, requestInfo: RequestInfo) {
    this.id = record.id;
    this.record = record;
    this.settings = settings;
    this.data = installation.scope(record.id);
    this.urls = urls;
    this.requestInfo = requestInfo;
    this.#installation = installation;
    this.#own = new TenantSettingsCache(installation, record.id);
  }

  /** Returns the same tenant for a request from another IP address. @param ip a normalized IP address. */
  withAddress(ip: string): RequestTenant {
    return new RequestTenant(this.#installation, this, this.urls, { ...this.requestInfo, ip, sharedIp: false });
  }

  /**
   * Returns the same tenant with an empty cache of settings, so that each lookup reads the data store. Use it to check
   * again before a rejection, because another process may have changed the settings.
   */
  uncached(): RequestTenant {
    const cache = createCache(this.host.clock);
    return new RequestTenant({ ...this.#installation, cache }, this, this.urls, this.requestInfo);
  }

  now(): number {
    return this.#installation.now();
  }

  get random(): RandomValues {
    return this.#installation.random;
  }

  get secrets(): Secrets {
    return this.#installation.secrets;
  }

  get host(): HostServices {
    return this.#installation.host;
  }

  get config(): ServiceConfig {
    return this.#installation.config;
  }

  get messages(): TenantMessages {
    return this.#installation.messagesOf(this);
  }

  get processState(): ProcessState {
    return this.#installation.processState;
  }

  get keys(): KeyStore {
    return this.#installation.keys;
  }

  get tokens(): TokenVerifier {
    return this.#installation.tokens;
  }

  get documents(): Documents {
    return this.#installation.documents;
  }

  /** The tenant's values that are unique across all tenants. */
  get directory(): TenantDirectory {
    return new TenantDirectory(this.#installation, this.id);
  }

  /** The resources that the control plane shares with the other tenants, from the perspective of this tenant. */
  get controlPlaneSync(): ControlPlaneSync {
    return new ControlPlaneSync(this.#installation, this);
  }

  /** The texts of the pages, by language. */
  get translations(): Translations {
    return this.#installation.translations;
  }

  /** Returns the tenant's custom page texts in a language, by page. */
  async customTexts(language: string): Promise<ReadonlyMap<string, CustomPageTexts>> {
    const read = async () => {
      const rows = await readAll(this.data.custom_texts, schema.custom_texts.key, { language });
      if (rows.length === 0) return new Map<string, CustomPageTexts>();
      return customPageTexts(rows);
    };
    return (await this.#cached("custom_texts", [language], read)) ?? new Map();
  }

  /**
   * The URL of the login page: the host application's custom page under the host name that received the request, or the
   * hosted page.
   */
  get loginPage(): string {
    const { loginPage } = this.#installation;
    return loginPage === undefined ? this.urls.urlFor("/u/login") : this.urls.origin + loginPage;
  }

  /**
   * The parameter `tenant` for URLs and forms that contain no other hint about the tenant. Empty if the host that
   * received the request belongs to this tenant alone.
   */
  get tenantParameter(): { readonly tenant?: string } {
    return this.urls === this.#installation.urls ? { tenant: this.id } : {};
  }

  /** Returns the senders, the provider and the templates of the tenant's messages. */
  mail(): TenantMail {
    return tenantMail(this, () => this.inherited());
  }

  /**
   * Returns the tenant that this one inherits from. Undefined for the control plane, and for a tenant that inherits
   * nothing. @see inheritedTenantOf
   */
  inherited(): Promise<InheritedTenant | undefined> {
    return inheritedTenantOf(this.#installation, this.id);
  }

  /** Returns a client, with inherited settings. `record` holds only the client's stored settings. */
  async client(clientId: string): Promise<RegisteredClient | undefined> {
    const [client, source] = await Promise.all([this.#own.client(clientId), this.inherited()]);
    // The page of a client that registered itself must not show what belongs to a known client.
    if (client === undefined || source?.clientId === undefined || isExternal(client.record)) return client;
    const fallback = await source.own.knownClient(source.clientId);
    return fallback === undefined ? client : withFallback(client, fallback);
  }

  /** Returns the client with the id in a request or a token. */
  async namedClient(clientId: string): Promise<RegisteredClient | undefined> {
    return this.client(await internalClientId(clientId));
  }

  /** Returns the client that a metadata document describes. @see clientOfDocument */
  clientOfDocument(url: string): Promise<RegisteredClient | undefined> {
    return clientOfDocument(this.#installation, this, url);
  }

  /** Reads a client's metadata document for an administrator. @see documentForAdministrator */
  clientDocument(url: string): Promise<ClientDocument> {
    return documentForAdministrator(this.#installation, this, url);
  }

  async clientGrants(clientId: string): Promise<readonly Row<"client_grants">[]> {
    const order = ["created_at", "id"] as const;
    return (await this.#cached("client_grants", [clientId], () => readAll(this.data.client_grants, order, { client_id: clientId }))) ?? [];
  }

  /** Whether a client grant was assigned to an organization. */
  async organizationHasGrant(organizationId: string, grantId: string): Promise<boolean> {
    const where = { organization_id: organizationId, grant_id: grantId };
    const read = async () => findOne(this.data.organization_client_grants, where);
    return (await this.#cached("organization_client_grants", [organizationId, grantId], read)) !== undefined;
  }

  /** The tenant's connections, with inherited options. */
  get connections(): Connections {
    return new Connections({
      context: this,
      own: this.#own,
      inherited: () => this.inherited(),
      organizationConnections: (organizationId) => this.organizationConnections(organizationId),
    });
  }

  /** Returns the tenant's registration as a client at a connection's identity provider. */
  async upstreamClient(connection: Row<"connections">): Promise<UpstreamClient> {
    return {
      context: this,
      connection,
      secrets: await this.connections.secretsOf(connection.id),
      signingKey: async () => {
        const key = await this.signing.signer("RS256");
        return { key: await this.keys.privateKey(key), kid: key.kid };
      },
    };
  }

  /** Returns an API by its identifier, as sent by a caller. Includes inherited APIs. */
  async api(identifier: string): Promise<CachedApi | undefined> {
    return findApi(this.#installation, this.#own, { identifier: await this.#stored(identifier) });
  }

  /** Returns an API of this tenant by its identifier, as sent by a caller. Excludes inherited APIs. */
  async ownApi(identifier: string): Promise<CachedApi | undefined> {
    return this.#own.api({ identifier: await this.#stored(identifier) });
  }

  /** Whether this identifier is reserved, so that an API of this tenant cannot have it. @see isReservedIdentifier */
  async isReservedIdentifier(identifier: string): Promise<boolean> {
    return isReservedIdentifier(this.#installation, this.id, await this.#stored(identifier));
  }

  async #stored(identifier: string): Promise<string> {
    return identifier === this.urls.issuer + managementIdentifier ? managementIdentifier : systemIdentifier(this, identifier);
  }

  /** Returns APIs by the ids of their rows, including inherited APIs. Unknown ids are ignored. */
  async apis(ids: readonly string[]): Promise<readonly CachedApi[]> {
    const found = await Promise.all(ids.map((id) => findApi(this.#installation, this.#own, { id })));
    return found.filter((api) => api !== undefined);
  }

  /** Returns the permissions of a role. */
  async rolePermissions(roleId: string): Promise<readonly Row<"role_permissions">[]> {
    const [role, permissions] = await Promise.all([
      this.#cached("roles", [roleId], async () => findOne(this.data.roles, { id: roleId })),
      this.#cached("role_permissions", [roleId], () =>
        readAll(this.data.role_permissions, schema.role_permissions.key, { role_id: roleId }),
      ),
    ]);
    // Permissions can remain while a role is being deleted, or after a concurrent write. They grant nothing.
    return role === undefined ? [] : (permissions ?? []);
  }

  /** Returns an organization by its id, or by its name regardless of case. */
  organization(idOrName: string): Promise<Row<"organizations"> | undefined> {
    return this.#cached("organizations", ["id or name", idOrName], async () => {
      const where = idOrName.startsWith("org_") ? { id: idOrName } : { name: idOrName.toLowerCase() };
      const row = await findOne(this.data.organizations, where);
      return row;
    });
  }

  /**
   * Returns the connections that members of an organization may sign in with. An empty list allows all connections that
   * the client offers.
   */
  async organizationConnections(organizationId: string): Promise<readonly Row<"organization_connections">[]> {
    const where = { organization_id: organizationId };
    const read = () => readAll(this.data.organization_connections, schema.organization_connections.key, where);
    return (await this.#cached("organization_connections", [organizationId], read)) ?? [];
  }

  /**
   * On the control plane: returns the row of the tenant that an organization represents. Undefined for any other
   * organization.
   */
  async tenantOf(organizationId: string): Promise<Row<"tenants"> | undefined> {
    if (this.id !== this.#installation.controlPlaneTenantId) return undefined;
    return (await findTenantOfOrganization(this.#installation, organizationId))?.record;
  }

  /**
   * Returns access to all tenants of this service, for a caller of the control plane. @throws {PosternError}
   * `forbidden` for any other caller.
   */
  async managedTenants(caller: Caller): Promise<ManagedTenants> {
    const { ManagedTenants } = await import("./lifecycle/managed-tenants.ts");
    return new ManagedTenants(this.#installation, this, caller);
  }

  /** Returns the user that a caller's token was issued for, also of the control plane. Undefined for a client. */
  callerUser({ tenantId, sessionId, subject }: Caller): Promise<Row<"users"> | undefined> {
    return sessionId === undefined ? Promise.resolve(undefined) : findOne(this.#installation.scope(tenantId).users, { user_id: subject });
  }

  /** Returns the client that a caller's token was issued to, also of the control plane. */
  async callerClient({ tenantId, clientId }: Caller): Promise<RegisteredClient | undefined> {
    if (tenantId === this.id) return this.namedClient(clientId);
    const entry = await findTenant(this.#installation, tenantId);
    return entry && new RequestTenant(this.#installation, entry, this.urls, this.requestInfo).namedClient(clientId);
  }

  /** The keys that sign and verify the tenant's tokens. */
  get signing(): TenantKeys {
    return new TenantKeys(this.#installation, this);
  }

  /** Whether tokens of the tenant may have this issuer. */
  hasIssuer(issuer: string): Promise<boolean> {
    return isIssuerOf(this.#installation, this, issuer);
  }

  /**
   * Returns the WebAuthn relying party of the host that received the request. Undefined if browsers do not offer
   * WebAuthn on the host.
   */
  async relyingParty(): Promise<RelyingParty | undefined> {
    return findRelyingParty(this.urls, await this.#relyingPartyDomains());
  }

  /**
   * Returns the origins of the tenant's other custom domains whose pages may use the passkeys of the host that received
   * the request.
   */
  async relatedOrigins(): Promise<readonly string[]> {
    return relatedOrigins(this.urls, await this.#relyingPartyDomains());
  }

  async #relyingPartyDomains(): Promise<readonly RelyingPartyDomain[]> {
    const domains = await verifiedDomains(this.#installation, this);
    return domains.map((row) => ({ domain: row.domain, relyingPartyIdentifier: customDomainSettings(row).relying_party_identifier }));
  }

  /** Changes the tenant's row. `change` is called again after a conflict with a concurrent change. */
  change(change: (record: Row<"tenants">) => Partial<Row<"tenants">>): Promise<Row<"tenants">> {
    return changeTenant(this.#installation, this.id, change);
  }

  /**
   * Counts a login session of this size against the limit for its IP address.
   * @see admitLoginSession
   * @throws {PosternError} `TOO_MANY_REQUESTS`
   * @returns the id for the login session.
   */
  admitLoginSession(bytes: number): Promise<string> {
    return admitLoginSession(this.#installation, this, bytes);
  }

  /** Returns who may register clients with this tenant. @see registrationMode */
  registrationMode(): Promise<RegistrationMode> {
    return registrationMode(this.#installation, this);
  }

  /**
   * Counts a registration of a client without an initial access token.
   * @see admitRegistration
   * @throws {PosternError} `TOO_MANY_REQUESTS`
   */
  admitRegistration(): Promise<void> {
    return admitRegistration(this.#installation, this);
  }

  /** Opens the budget for a message to a new phone number. @see openNewNumberBudget */
  newNumberBudget(message: NewNumberMessage): Promise<NewNumberBudget> {
    return openNewNumberBudget(this.#installation, this, message);
  }

  /** Writes an audit event. Resolves when it is stored. */
  audit(event: AuditEvent): Promise<void> {
    this.host.telemetry?.countAuditEvent(event, this.id, this.requestInfo.trace);
    return this.#installation.audit.write({ ...toLogRow(this, event, this.requestInfo), tenant_id: this.id });
  }

  #cached<T extends object>(collection: TenantCollectionName, key: CacheKey, load: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#installation.cache.get(this.id, collection, key, load);
  }
}

import type { ServiceContext } from "../context.ts";
import { openSecrets } from "../identity/connections/connection-secrets.ts";
import type { Row } from "../store/schema.ts";
import type { JsonObject } from "../store/value.ts";
import { isUpstream } from "../model/connections/upstream.ts";
import type { InheritedTenant } from "./inherit/inherited-tenant.ts";
import type { TenantSettingsCache } from "./settings-cache.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { inheritedConnectionOf, withInherited } from "./inherit/connections.ts";
import { isExternal } from "../model/clients/external.ts";
import { connectionSettings } from "../model/connections/settings.ts";

type Connection = Row<"connections">;

/**
 * Maximum number of identity providers that are offered if pages list none of the client's connections: the first ones
 * in the client's list.
 */
const maximumUnlisted = 20;

/** The parts of a tenant that {@link Connections} uses. */
interface ConnectionsOf {
  readonly context: ServiceContext;
  readonly own: TenantSettingsCache;
  inherited(): Promise<InheritedTenant | undefined>;
  organizationConnections(organizationId: string): Promise<readonly Row<"organization_connections">[]>;
}

/**
 * A tenant's connections, with inherited options. Inherited options are added when a connection is read, and are not
 * stored with it. Connections that pages list are cached together; all others are read one by one, so that thousands of
 * organizations with an identity provider each do not slow down logins.
 */
export class Connections {
  readonly #of: ConnectionsOf;

  constructor(of: ConnectionsOf) {
    this.#of = of;
  }

  /**
   * Returns the connections that pages offer to every visitor, oldest first: those with local accounts, and identity
   * providers with a button.
   */
  async listed(): Promise<readonly Connection[]> {
    return this.#whole(await this.#of.own.listedConnections());
  }

  /** Returns the connections with local accounts, oldest first. */
  async withLocalAccounts(): Promise<readonly Connection[]> {
    return (await this.listed()).filter((connection) => !isUpstream(connection));
  }

  /** Whether users of one of the connections can sign in with passkeys. */
  hasPasskeys(): Promise<boolean> {
    return this.#of.own.hasPasskeys();
  }

  async byId(id: string): Promise<Connection | undefined> {
    const row = (await this.#of.own.listedConnections()).find((one) => one.id === id) ?? (await this.#of.own.connection({ id }));
    return row && (await this.#whole([row]))[0];
  }

  async named(name: string): Promise<Connection | undefined> {
    const row = (await this.#of.own.listedConnections()).find((one) => one.name === name) ?? (await this.#of.own.connection({ name }));
    return row && (await this.#whole([row]))[0];
  }

  /** Returns the connections for users whose email addresses have this domain. @param domain in lower case. */
  async ofDomain(domain: string): Promise<readonly Connection[]> {
    return this.#whole(await this.#of.own.connectionsOfDomain(domain));
  }

  /**
   * Returns the connections that a user of a client can choose from, in the order of the login page. These are the
   * connections that the client offers. If the organization enables specific connections, only those are returned. A
   * client without a list offers the tenant's connections with local accounts; an identity provider is offered only by
   * clients that list it. Identity providers that pages do not list are included only for an organization, or if there
   * are no other connections. Otherwise, a request must name the connection or its domain: see {@link offers}. An
   * external client offers the connections with `is_domain_connection`, whether or not an administrator stored a list.
   */
  async offeredBy(client: RegisteredClient, organizationId?: string): Promise<readonly Connection[]> {
    const { connections: list } = client.record;
    const enabled = await this.#enabled(organizationId);
    if (enabled !== undefined) {
      const rows = await Promise.all([...enabled].map((id) => this.byId(id)));
      const known = rows.filter((row) => row !== undefined && offersIt(client, row)).filter((row) => row !== undefined);
      return inOrder(known, list);
    }
    if (isExternal(client.record)) return (await this.listed()).filter((row) => offersIt(client, row));
    if (list === null) return this.withLocalAccounts();
    const listed = inOrder(
      (await this.listed()).filter((row) => offersIt(client, row)),
      list,
    );
    if (listed.length > 0) return listed;
    const first = await Promise.all(list.slice(0, maximumUnlisted).map((id) => this.byId(id)));
    return first.filter((row) => row !== undefined);
  }

  /** Whether a client offers a connection for sign-in, to members of an organization or without one. */
  async offers(client: RegisteredClient, connectionId: string, organizationId?: string): Promise<boolean> {
    const [connection, enabled] = await Promise.all([this.byId(connectionId), this.#enabled(organizationId)]);
    return connection !== undefined && offersIt(client, connection) && (enabled?.has(connectionId) ?? true);
  }

  /** Returns the connection with this name, if the client offers it. */
  async offeredNamed(client: RegisteredClient, name: string, organizationId?: string): Promise<Connection | undefined> {
    const connection = await this.named(name);
    return connection !== undefined && (await this.offers(client, connection.id, organizationId)) ? connection : undefined;
  }

  /**
   * Returns the decrypted secrets of a connection by their paths: its own secrets, or those of the connection that it
   * inherits from. This is the only place where these secrets are decrypted for use.
   * @throws if no key in the key ring can decrypt them.
   */
  async secretsOf(connectionId: string): Promise<JsonObject> {
    const { context, own, inherited } = this.#of;
    const row = await own.connection({ id: connectionId });
    if (row === undefined) return {};
    const source = await inherited();
    const parents = (await source?.own.connectionsNamed([row.name])) ?? [];
    if (source === undefined || parents.length === 0) return openSecrets(context, own.data, row);
    const parent = inheritedConnectionOf(row, parents);
    return parent === undefined ? openSecrets(context, own.data, row) : openSecrets(context, source.own.data, parent);
  }

  async #whole(rows: readonly Connection[]): Promise<readonly Connection[]> {
    const source = rows.length === 0 ? undefined : await this.#of.inherited();
    const parents = (await source?.own.connectionsNamed(rows.map(({ name }) => name))) ?? [];
    if (parents.length === 0) return rows;
    return withInherited(rows, parents);
  }

  /** Returns the ids of the connections that an organization enables; undefined if it does not limit them. */
  async #enabled(organizationId: string | undefined): Promise<ReadonlySet<string> | undefined> {
    const rows = organizationId === undefined ? [] : await this.#of.organizationConnections(organizationId);
    return rows.length === 0 ? undefined : new Set(rows.map(({ connection_id: id }) => id));
  }
}

function offersIt({ record }: RegisteredClient, connection: Connection): boolean {
  if (isExternal(record)) return connectionSettings(connection).is_domain_connection;
  const { connections: list } = record;
  return list === null ? !isUpstream(connection) : placesIn(list).has(connection.id);
}

function inOrder(rows: readonly Connection[], list: readonly string[] | null): readonly Connection[] {
  if (list === null) return rows;
  const places = placesIn(list);
  return rows.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

/**
 * Returns the position of each connection in a client's list. Caches the result, because the list belongs to a cached
 * client and is used several times per login.
 */
function placesIn(list: readonly string[]): ReadonlyMap<string, number> {
  let places = known.get(list);
  if (places === undefined) known.set(list, (places = new Map(list.map((id, place) => [id, place]))));
  return places;
}

const known = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

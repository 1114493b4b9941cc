import type { ServiceContext } from "../context.ts";
import { openSecrets } from "../identity/connections/connection-secrets.ts";
import type { Row } from "../store/schema.ts";
import type { JsonObject } from "../store/value.ts";
import { isUpstream } from "../model/connections/upstream.ts";
import type { InheritedTenant } from "./inherit/inherited-tenant.ts";
import type { TenantSettingsCache } from "./settings-cache.ts";
import type { Client } from "../model/clients/client.ts";
import { inheritedConnectionOf, withInherited } from "./inherit/connections.ts";

type Connection = Row<"connections">;

/**
 * Maximum number of unlisted identity providers that are offered if there are no listed ones and the request names
 * none: the first of the client's list.
 */
const maximumUnlisted = 20;

/** What {@link Connections} needs from a tenant. */
export interface ConnectionsOf {
  readonly context: ServiceContext;
  readonly own: TenantSettingsCache;
  inherited(): Promise<InheritedTenant | undefined>;
  organizationConnections(organizationId: string): Promise<readonly Row<"organization_connections">[]>;
}

/**
 * A tenant's connections, with inherited options. The records hold only the connection's stored options. Connections
 * that pages list are cached together; all others are read one by one, so that thousands of organizations with an
 * identity provider each do not slow down logins.
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

  async byId(id: string): Promise<Connection | undefined> {
    const row = (await this.#of.own.listedConnections()).find((one) => one.id === id) ?? (await this.#of.own.connection({ id }));
    return row && (await this.#whole([row]))[0];
  }

  async named(name: string): Promise<Connection | undefined> {
    const row = (await this.#of.own.listedConnections()).find((one) => one.name === name) ?? (await this.#of.own.connection({ name }));
    return row && (await this.#whole([row]))[0];
  }

  /**
   * Returns the connections of organizations whose users have email addresses of a domain. @param domain in lower case.
   */
  async ofDomain(domain: string): Promise<readonly Connection[]> {
    return this.#whole(await this.#of.own.connectionsOfDomain(domain));
  }

  /**
   * Returns the connections to choose from at a client, in the order of the login page: those that the client offers,
   * limited to those that the organization enables if it names any. A client without a list offers the tenant's
   * connections with local accounts; an identity provider is offered only by clients that list it. Unlisted identity
   * providers are included only for an organization, or if there is nothing else. All others must be requested by name
   * or domain, see {@link offers}.
   */
  async offeredBy(client: Client, organizationId?: string): Promise<readonly Connection[]> {
    const { connections: list } = client.record;
    const enabled = await this.#enabled(organizationId);
    if (enabled !== undefined) {
      const rows = await Promise.all([...enabled].map((id) => this.byId(id)));
      const known = rows.filter((row) => row !== undefined && offersIt(client, row)).filter((row) => row !== undefined);
      return inOrder(known, list);
    }
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
  async offers(client: Client, connectionId: string, organizationId?: string): Promise<boolean> {
    const [connection, enabled] = await Promise.all([this.byId(connectionId), this.#enabled(organizationId)]);
    return connection !== undefined && offersIt(client, connection) && (enabled?.has(connectionId) ?? true);
  }

  /** Returns the connection with this name, if the client offers it. */
  async offeredNamed(client: Client, name: string, organizationId?: string): Promise<Connection | undefined> {
    const connection = await this.named(name);
    return connection !== undefined && (await this.offers(client, connection.id, organizationId)) ? connection : undefined;
  }

  /**
   * Returns the decrypted secrets of a connection by their paths: its own, or those of the connection that it inherits
   * from. This is the only place where these secrets are decrypted for use.
   * @throws if no key of the ring can decrypt them.
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

  /** Returns the ids of the connections that an organization enables; undefined if it names none. */
  async #enabled(organizationId: string | undefined): Promise<ReadonlySet<string> | undefined> {
    const rows = organizationId === undefined ? [] : await this.#of.organizationConnections(organizationId);
    return rows.length === 0 ? undefined : new Set(rows.map(({ connection_id: id }) => id));
  }
}

function offersIt({ record: { connections: list } }: Client, connection: Connection): boolean {
  return list === null ? !isUpstream(connection) : placesIn(list).has(connection.id);
}

function inOrder(rows: readonly Connection[], list: readonly string[] | null): readonly Connection[] {
  if (list === null) return rows;
  const places = placesIn(list);
  return rows.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

/**
 * Returns the position of each connection in a client's list. The list belongs to a cached record and is used several
 * times per login.
 */
function placesIn(list: readonly string[]): ReadonlyMap<string, number> {
  let places = known.get(list);
  if (places === undefined) known.set(list, (places = new Map(list.map((id, place) => [id, place]))));
  return places;
}

const known = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

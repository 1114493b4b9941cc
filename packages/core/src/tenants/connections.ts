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

/** Providers that are offered where none is listed and nobody says which: the first of the client's list. */
const mostUnlisted = 20;

/** What a tenant's connections need of it. */
export interface ConnectionsOf {
  readonly context: ServiceContext;
  readonly own: TenantSettingsCache;
  inherited(): Promise<InheritedTenant | undefined>;
  organizationConnections(organizationId: string): Promise<readonly Row<"organization_connections">[]>;
}

/**
 * A tenant's connections, with the options that they inherit; what they say themselves is in their records alone. Those that pages list are kept together, all others are read one by one:
 * thousands of organizations with a provider each cost a login nothing.
 */
export class Connections {
  readonly #of: ConnectionsOf;

  constructor(of: ConnectionsOf) {
    this.#of = of;
  }

  /** Those that pages offer to everybody, oldest first: all whose accounts live here, and providers with a button. */
  async listed(): Promise<readonly Connection[]> {
    return this.#whole(await this.#of.own.listedConnections());
  }

  /** Those whose accounts live here, oldest first. */
  async ofOurOwn(): Promise<readonly Connection[]> {
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

  /** Those of organizations whose people have addresses of a domain. @param domain in lower case. */
  async ofDomain(domain: string): Promise<readonly Connection[]> {
    return this.#whole(await this.#of.own.connectionsOfDomain(domain));
  }

  /**
   * The connections that people may choose from at a client, in their order on the login page: those that it offers, and of them those that the organization enables where it names any.
   * A client without a list offers the tenant's own: an identity provider elsewhere is offered by the clients that name it. Providers that are not listed are among them only in an
   * organization, and where there is nothing else: all others are asked for by name or domain, see {@link offers}.
   */
  async offeredBy(client: Client, organizationId?: string): Promise<readonly Connection[]> {
    const { connections: list } = client.record;
    const enabled = await this.#enabled(organizationId);
    if (enabled !== undefined) {
      const rows = await Promise.all([...enabled].map((id) => this.byId(id)));
      const known = rows.filter((row) => row !== undefined && offersIt(client, row)).filter((row) => row !== undefined);
      return inOrder(known, list);
    }
    if (list === null) return this.ofOurOwn();
    const listed = inOrder(
      (await this.listed()).filter((row) => offersIt(client, row)),
      list,
    );
    if (listed.length > 0) return listed;
    const first = await Promise.all(list.slice(0, mostUnlisted).map((id) => this.byId(id)));
    return first.filter((row) => row !== undefined);
  }

  /** Whether people may sign in at a client by a connection, for members of an organization or for itself. */
  async offers(client: Client, connectionId: string, organizationId?: string): Promise<boolean> {
    const [connection, enabled] = await Promise.all([this.byId(connectionId), this.#enabled(organizationId)]);
    return connection !== undefined && offersIt(client, connection) && (enabled?.has(connectionId) ?? true);
  }

  /** The connection of this name that a client offers. */
  async offeredNamed(client: Client, name: string, organizationId?: string): Promise<Connection | undefined> {
    const connection = await this.named(name);
    return connection !== undefined && (await this.offers(client, connection.id, organizationId)) ? connection : undefined;
  }

  /**
   * The secrets of a connection, opened, by their paths: its own, or those of the connection that it inherits from. The one place where such a secret is opened for use.
   * @throws where no key of the ring opens them.
   */
  async secretsOf(connectionId: string): Promise<JsonObject> {
    const { context, own, inherited } = this.#of;
    const row = await own.connection({ id: connectionId });
    if (row === undefined) return {};
    const source = await inherited();
    const lenders = (await source?.own.connectionsNamed([row.name])) ?? [];
    if (source === undefined || lenders.length === 0) return openSecrets(context, own.data, row);
    const lender = inheritedConnectionOf(row, lenders);
    return lender === undefined ? openSecrets(context, own.data, row) : openSecrets(context, source.own.data, lender);
  }

  async #whole(rows: readonly Connection[]): Promise<readonly Connection[]> {
    const source = rows.length === 0 ? undefined : await this.#of.inherited();
    const lenders = (await source?.own.connectionsNamed(rows.map(({ name }) => name))) ?? [];
    if (lenders.length === 0) return rows;
    return withInherited(rows, lenders);
  }

  /** The ids of those that an organization enables; undefined where it names none. */
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

/** Where each connection stands in a client's list. A list is that of a cached record, and looked at several times in each login. */
function placesIn(list: readonly string[]): ReadonlyMap<string, number> {
  let places = known.get(list);
  if (places === undefined) known.set(list, (places = new Map(list.map((id, place) => [id, place]))));
  return places;
}

const known = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

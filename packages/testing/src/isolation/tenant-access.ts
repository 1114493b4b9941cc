import { objectOf, readAnswer, type Answer, type Json } from "./answer.ts";

/** How the suite reaches a tenant. */
export interface TenantAccess {
  /** The tenant's id. */
  readonly id: string;
  /** Where it is reached, with a slash at the end: the installation's issuer, its subdomain or its custom domain. */
  readonly issuer: string;
  /** What goes with every request: `{ "tenant-id": "acme" }` where tenants share the issuer. */
  readonly headers?: { readonly [name: string]: string };
  /** Gives a token for this tenant's Management API, with all its scopes. Asked again where the installation takes the last one no more. */
  readonly token: () => string | Promise<string>;
}

/** The code and the link of a message that the installation sent. */
export interface SentMessage {
  readonly code?: string | undefined;
  readonly link?: string | undefined;
}

/** Sends a request to the installation. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** What a request carries. */
export interface Sent {
  /** Query, with its question mark. */
  readonly query?: string;
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown;
  readonly form?: { readonly [name: string]: string };
  readonly token?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** Calls a tenant's Management API with a token of its own. */
export interface Manage {
  (method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates a resource and returns it. */
  create(path: string, body: unknown): Promise<Json>;
}

/** A tenant as the cases use it. */
export interface Party {
  readonly id: string;
  readonly issuer: string;
  /** Whether a header says which tenant is meant. */
  readonly isNamedByHeader: boolean;
  /** Text that is in the records of this tenant alone, and of this run. */
  readonly mark: string;
  /** A name that nothing has yet, with the mark in it. */
  newName(): string;
  /** Sends a request that the tenant's address goes with. @param path from the issuer on, with a slash; or the URL of a link. */
  call(method: string, path: string, sent?: Sent): Promise<Answer>;
  token(): Promise<string>;
  readonly manage: Manage;
}

/** Makes a {@link Party} of what a host says of a tenant. */
export function openParty({ id, issuer, headers: address = {}, token: newToken }: TenantAccess, fetch: Fetch): Party {
  const mark = `only-${crypto.randomUUID().slice(0, 8)}`;
  let [held, serial]: [string | undefined, number] = [undefined, 0];
  const call: Party["call"] = async (method, path, { query = "", body, form, token, headers } = {}) => {
    const type = form === undefined ? "application/json" : "application/x-www-form-urlencoded";
    const text = form === undefined ? (typeof body === "string" ? body : JSON.stringify(body)) : new URLSearchParams(form).toString();
    const all = {
      ...(text !== undefined && { "content-type": type }),
      ...address,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    };
    const url = new URL(path.replace(/^\//, "") + query, issuer);
    return readAnswer(
      await fetch(new Request(url, { method, headers: all, redirect: "manual", ...(text !== undefined && { body: text }) })),
    );
  };
  const token = async (): Promise<string> => (held ??= await newToken());
  const managed = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const ask = async (): Promise<Answer> => call(method, path, { token: await token(), ...(body !== undefined && { body }) });
    const answer = await ask();
    if (answer.status !== 401) return answer;
    held = undefined;
    return ask();
  };
  const create = async (path: string, body: unknown): Promise<Json> => {
    const answer = await managed("POST", path, body);
    // The vendor's answer to some of them is 200.
    return objectOf(answer, answer.status === 200 ? 200 : 201, `POST ${path}`);
  };
  const isNamedByHeader = "tenant-id" in address;
  return {
    id,
    issuer,
    isNamedByHeader,
    mark,
    newName: () => `${mark}-${++serial}`,
    call,
    token,
    manage: Object.assign(managed, { create }),
  };
}

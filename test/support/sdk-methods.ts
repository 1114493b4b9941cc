import { ManagementClient } from "auth0";
import { createPathRouter } from "../../packages/core/src/http/router.ts";
import { managementRoutes } from "../../packages/core/src/management/routes.ts";
import { isPosternError } from "@postern/core";

/** Arguments for any parameter of a method. */
const samples = ["sample-1", "sample-2", "sample-3", "sample-4"];

/**
 * The methods of the SDK by name, for example `users.roles.list`, with the route that each one calls: `GET
 * /api/v2/users/:id/roles`.
 */
export async function methodsOfSdk(): Promise<ReadonlyMap<string, string | undefined>> {
  let requested: Request | undefined;
  const sdk = new ManagementClient({
    domain: "id.example.test",
    token: "token",
    maxRetries: 0,
    fetch: async (input, init) => {
      requested = new Request(input, { method: init?.method ?? "GET" });
      return Response.json({}, { status: 404 });
    },
  });
  const routeOf = createRouteFinder();
  const found = new Map<string, string | undefined>();
  for (const { name, call } of methodsOf(sdk, "")) {
    requested = undefined;
    // Tries a file as well, because one method accepts only a file.
    for (const args of [samples, [{ users: new Blob(["[]"]), connection_id: "sample-1" }]]) {
      if (requested === undefined) await call(args).catch(() => undefined);
    }
    if (requested === undefined) throw new Error(`${name} has no request`);
    found.set(name, routeOf(requested));
  }
  return found;
}

/** The routes of the Management API in the form that {@link methodsOfSdk} uses. */
export const servedRoutes: readonly string[] = managementRoutes.map(({ definition: { method, path } }) => `${method} ${path}`);

function createRouteFinder(): (request: Request) => string | undefined {
  const router = createPathRouter(managementRoutes.map(({ definition }) => definition));
  return ({ method, url }) => {
    try {
      const { entry, params } = router.find(method, new URL(url).pathname);
      // If the SDK's path has a literal where this route has an id, the SDK calls another route, which is not
      // supported.
      return Object.values(params).every((value) => samples.includes(value)) ? `${entry.method} ${entry.path}` : undefined;
    } catch (error) {
      if (isPosternError(error)) return undefined;
      throw error;
    }
  };
}

interface Method {
  readonly name: string;
  call(args: readonly unknown[]): Promise<unknown>;
}

/** Yields every method of an SDK client and of its sub-clients, without the generic request method. */
function* methodsOf(client: object, path: string): Generator<Method> {
  for (
    let type: unknown = Reflect.getPrototypeOf(client);
    isObject(type) && type !== Object.prototype;
    type = Reflect.getPrototypeOf(type)
  ) {
    for (const [key, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(type))) {
      const name = path + key;
      if (name === "fetch" || key === "constructor" || key.startsWith("_")) continue;
      const part: unknown = get === undefined ? undefined : Reflect.get(client, key);
      if (isObject(part)) yield* methodsOf(part, `${name}.`);
      else if (typeof value === "function") yield { name, call: async (args) => Reflect.apply(value, client, args) };
    }
  }
}

/** Wraps a client to record the name of every called method. */
export function recordCalls<Client extends object>(client: Client, called: Set<string>, path = ""): Client {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const name = path + String(key);
      if (isObject(value)) return recordCalls(value, called, `${name}.`);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]): unknown => {
        called.add(name);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

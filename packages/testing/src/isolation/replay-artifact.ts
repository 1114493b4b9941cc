import type { HttpResponse, JsonValue } from "./response.ts";
import { bodyWith, placesOf, acceptsText, variantsOf, type KnownValues, type BodyPlace } from "./bodies.ts";
import type { Comparison } from "./comparison.ts";
import type { Fixture } from "./definition.ts";
import { members, type ApiOperation, type Schema } from "./document.ts";
import { database, createTestUser, type IsolationUser } from "./users.ts";
import { browse, callback, createClient, type TestClient } from "./browser-flows.ts";
import type { ConnectedTenant } from "./tenant-access.ts";

/** A client and a user in the stranger tenant, which replay the artifacts that the owner tenant issued. */
interface Attacker {
  readonly stranger: ConnectedTenant;
  readonly client: TestClient;
  readonly user: IsolationUser;
  /** The attacker's own access token, for an API that requires one. */
  readonly token?: string;
}

/**
 * Creates an {@link Attacker}.
 * @param email the email address of a user in the owner tenant. The user in the stranger tenant gets the same one.
 */
export async function createAttacker({ stranger }: Pick<Fixture, "stranger">, email?: string): Promise<Attacker> {
  return {
    stranger,
    client: await createClient(stranger),
    user: await createTestUser(stranger, { ...(email !== undefined && { email }) }),
  };
}

/** A code, token, link or secret that the owner tenant issued, with the values that belong to it. */
export interface Artifact {
  readonly values: readonly string[];
  /** Further body members and parameters from the owner tenant that are sent with the value, by name. */
  readonly with?: { readonly [name: string]: string };
  /** Cookies that the owner tenant set in the browser. They are sent with the value. */
  readonly cookies?: ReadonlyMap<string, string>;
  /** Returns a value of the same form that was never issued. */
  readonly unknown?: (value: string) => string;
}

/** Sends an artifact in the path parameters, in each query parameter and in each text member of the body of an operation. */
export async function replayArtifact(
  operation: ApiOperation,
  attacker: Attacker,
  comparison: Comparison,
  artifact: Artifact,
): Promise<void> {
  const { title, method, path, parameters, body, document } = operation;
  const { values, with: companions = {}, cookies = new Map(), unknown } = artifact;
  const known = knownValues(attacker, companions);
  const { token } = attacker;
  const send = async (
    sent: { readonly query?: string; readonly body?: JsonValue; readonly form?: JsonValue },
    segment = "unknown",
  ): Promise<HttpResponse> => {
    const form = sent.form && Object.fromEntries(Object.entries(sent.form).map(([name, value]) => [name, String(value)]));
    const { query, body: json } = sent;
    const more = {
      ...(query !== undefined && { query }),
      ...(json !== undefined && { body: json }),
      ...(form && { form }),
      ...(token && { token }),
    };
    return browse(attacker.stranger, new Map(cookies), method, path.replaceAll(/\{\w+\}/g, encodeURIComponent(segment)), more);
  };

  if (path.includes("{")) await comparison.compare(`${title}: in the path`, values, (value) => send({}, value), unknown);

  const queried = parameters.filter((parameter) => parameter.in === "query");
  for (const { name } of queried) {
    const others = queried.filter((each) => each.name !== name && (each.required || each.name in companions));
    const required = Object.fromEntries(others.map((each) => [each.name, String(known(each.name) ?? "sample")]));
    const sendValue = (value: string) => send({ query: `?${new URLSearchParams({ ...required, [name]: value })}` });
    await comparison.compare(`${title}: '${name}' in the query`, values, sendValue, unknown);
  }
  if (body === undefined) return;
  const asForm = !body.types.includes("application/json");
  for (const variant of variantsOf(document, body.schema)) {
    for (const { place, schema } of placesOf(document, variant)) {
      if (place.length === 0 || (asForm && place.length > 1) || !acceptsText(document, schema)) continue;
      const sendValue = (value: string) => {
        const sent = bodyAround(document, variant, known, place, value, companions);
        return send(asForm ? { form: sent } : { body: sent });
      };
      await comparison.compare(`${title}: '${place.join(".")}' in the body`, values, sendValue, unknown);
    }
  }
}

function bodyAround(
  document: JsonValue,
  schema: Schema,
  known: KnownValues,
  place: BodyPlace,
  value: string,
  companions: JsonValue,
): JsonValue {
  const smallest: unknown = JSON.parse(bodyWith(document, schema, known, place, JSON.stringify(value)));
  const named = members(schema["properties"]);
  const sentAlong = Object.entries(companions).filter(([name]) => name in named && name !== place[0] && !("const" in members(named[name])));
  return { ...Object.fromEntries(sentAlong), ...members(smallest) };
}

/** Returns the values that members and parameters have in the stranger tenant, by name. */
function knownValues({ client, user }: Attacker, companions: JsonValue): KnownValues {
  const values: JsonValue = {
    client_id: client.clientId,
    client_secret: client.secret,
    redirect_uri: callback,
    response_type: "code",
    username: user.email,
    email: user.email,
    password: user.password,
    realm: database,
    connection: database,
    ...companions,
  };
  return (name) => values[name];
}

import type { Answer, Json } from "./answer.ts";
import { bodyWith, placesOf, takesText, variantsOf, type Known, type Place } from "./bodies.ts";
import type { Comparison } from "./compare.ts";
import type { Room } from "./definition.ts";
import { members, type Operation, type Schema } from "./document.ts";
import { database, newPerson, type Person } from "./people.ts";
import { browse, callback, newApp, type App } from "./visit.ts";
import type { Party } from "./tenant-access.ts";

/** What a stranger has of its own when it tries the owner's: an app, and somebody. */
export interface Stand {
  readonly stranger: Party;
  readonly app: App;
  readonly person: Person;
}

/** Makes a {@link Stand}. @param email of somebody of the owner's, who is somebody of the stranger's as well. */
export async function newStand({ stranger }: Pick<Room, "stranger">, email?: string): Promise<Stand> {
  return { stranger, app: await newApp(stranger), person: await newPerson(stranger, { ...(email !== undefined && { email }) }) };
}

/** Something of the owner's, with what goes with it. */
export interface Thing {
  readonly values: readonly string[];
  /** Members and parameters that are the owner's as well, by name. */
  readonly with?: { readonly [name: string]: string };
  /** Cookies that are sent along. */
  readonly cookies?: ReadonlyMap<string, string>;
  /** The same as a value, that nobody was ever given. */
  readonly unknown?: (value: string) => string;
}

/** Sends a thing to each parameter and each member that an operation has a place for. */
export async function replayAt(operation: Operation, stand: Stand, comparison: Comparison, thing: Thing): Promise<void> {
  const { title, method, path, parameters, body, document } = operation;
  const { values, with: companions = {}, cookies = new Map(), unknown } = thing;
  const known = knownTo(stand, companions);
  const send = async (sent: { readonly query?: string; readonly body?: Json; readonly form?: Json }): Promise<Answer> => {
    const form = sent.form && Object.fromEntries(Object.entries(sent.form).map(([name, value]) => [name, String(value)]));
    const { query, body: json } = sent;
    const more = { ...(query !== undefined && { query }), ...(json !== undefined && { body: json }), ...(form && { form }) };
    return browse(stand.stranger, new Map(cookies), method, path, more);
  };

  const queried = parameters.filter((parameter) => parameter.in === "query");
  for (const { name } of queried) {
    const others = queried.filter((each) => each.name !== name && (each.required || each.name in companions));
    const right = Object.fromEntries(others.map((each) => [each.name, String(known(each.name) ?? "sample")]));
    const ask = (value: string) => send({ query: `?${new URLSearchParams({ ...right, [name]: value })}` });
    await comparison.of(`${title}: '${name}' of the query`, values, ask, unknown);
  }
  if (body === undefined) return;
  const asForm = !body.types.includes("application/json");
  for (const variant of variantsOf(document, body.schema)) {
    for (const { place, schema } of placesOf(document, variant)) {
      if (place.length === 0 || (asForm && place.length > 1) || !takesText(document, schema)) continue;
      const ask = (value: string) => {
        const sent = bodyAround(document, variant, known, place, value, companions);
        return send(asForm ? { form: sent } : { body: sent });
      };
      await comparison.of(`${title}: '${place.join(".")}' of the body`, values, ask, unknown);
    }
  }
}

function bodyAround(document: Json, schema: Schema, known: Known, place: Place, value: string, companions: Json): Json {
  const smallest: unknown = JSON.parse(bodyWith(document, schema, known, place, JSON.stringify(value)));
  const named = members(schema["properties"]);
  const along = Object.entries(companions).filter(([name]) => name in named && name !== place[0] && !("const" in members(named[name])));
  return { ...Object.fromEntries(along), ...members(smallest) };
}

/** What the stranger says at members and parameters of these names. */
function knownTo({ app, person }: Stand, companions: Json): Known {
  const values: Json = {
    client_id: app.clientId,
    client_secret: app.secret,
    redirect_uri: callback,
    response_type: "code",
    username: person.email,
    email: person.email,
    password: person.password,
    realm: database,
    connection: database,
    ...companions,
  };
  return (name) => values[name];
}

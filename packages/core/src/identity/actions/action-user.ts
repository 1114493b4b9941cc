import type { ActionClient, ActionConnection, ActionRequest, ActionUser } from "../../adapters/actions.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { toUser } from "../../model/users/users.ts";
import type { RequestInfo } from "../../context.ts";
import { publicClientId } from "../../model/clients/client-id.ts";

/** Converts a user to the object that actions receive: a copy, which they may modify. */
export function actionUser(row: Row<"users">, linked: readonly Row<"users">[] = []): ActionUser {
  const {
    identities,
    last_login: _,
    last_ip: __,
    logins_count: ___,
    linked_to: ____,
    blocked: _____,
    connection: ______,
    ...user
  } = toUser(row, linked);
  return structuredClone({ ...user, identities: identities.map(({ profileData: _data, ...identity }) => identity) });
}

/** Converts a connection to the object that actions receive. */
export function actionConnection({ id, name, strategy, settings }: Row<"connections">): ActionConnection {
  return { id, name, strategy, metadata: metadataOf(settings["metadata"]) };
}

/** Converts a client to the object that actions receive. */
export function actionClient(client: Row<"clients">): ActionClient {
  const { name, settings } = client;
  return { client_id: publicClientId(client), name, metadata: metadataOf(settings["client_metadata"]) };
}

/** Converts a request to the object that actions receive. */
export function actionRequest(
  { ip, userAgent, hostname, acceptLanguage }: RequestInfo,
  sent: Partial<Pick<ActionRequest, "query" | "body">> = {},
): ActionRequest {
  return {
    ...(ip !== undefined && { ip }),
    ...(userAgent !== "" && { user_agent: userAgent }),
    hostname,
    ...(acceptLanguage !== "" && { language: acceptLanguage }),
    query: {},
    body: {},
    ...sent,
  };
}

function metadataOf(stored: unknown): JsonObject {
  return typeof stored === "object" && stored !== null ? structuredClone(stored as JsonObject) : {};
}

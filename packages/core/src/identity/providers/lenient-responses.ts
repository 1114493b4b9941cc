import type { ProviderDescription } from "../../model/connections/strategies/provider.ts";
import { isObject, type Json, type JsonObject } from "../../store/value.ts";

/**
 * Corrects a token response that deviates from RFC 6749 section 5.1, because the library rejects it otherwise:
 *
 * - `scope` as a list of strings (Twitch) becomes a string.
 * - A missing `token_type` (Instagram) becomes `Bearer`, the only type of access token that Postern sends.
 * - A member that is null or empty counts as missing, such as the `refresh_token` of a provider that issued none.
 * - An ID token that the strategy ignores is removed (Keycloak with the strategy `oauth2`), because the library would
 *   validate its issuer.
 *
 * An unsuccessful response, and a body that is not a JSON object, are returned unchanged: the library reports them.
 */
export function toConformTokenResponse({ idToken }: Pick<ProviderDescription, "idToken">, response: Response): Promise<Response> {
  return correctBody(response, (body) => {
    const { scope, id_token: token, ...rest } = withoutMembers(body, (value) => value === null || value === "");
    return {
      token_type: "Bearer",
      ...rest,
      ...(scope !== undefined && { scope: joinTexts(scope) }),
      ...(token !== undefined && idToken !== false && { id_token: token }),
    };
  });
}

/**
 * Removes the members of a provider's metadata that are null. RFC 8414 section 3.2 requires that members without a value
 * are omitted, but some servers serialize all of their settings.
 */
export function toConformMetadata(response: Response): Promise<Response> {
  return correctBody(response, (body) => withoutMembers(body, (value) => value === null));
}

async function correctBody(response: Response, correct: (body: JsonObject) => JsonObject): Promise<Response> {
  if (!response.ok) return response;
  const copy = response.clone();
  const body = (await copy.json().catch(() => null)) as Json;
  return isObject(body) ? Response.json(correct(body), { status: response.status }) : response;
}

function joinTexts(value: Json): Json {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value.join(" ") : value;
}

function withoutMembers(body: JsonObject, isMissing: (value: Json) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isMissing(value)));
}

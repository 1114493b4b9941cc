import { isObject } from "../../store/value.ts";
import type { Row } from "../../store/schema.ts";
import type { AuthorizationRequest } from "../../authorization/authorization-request.ts";
import { authTimeParameters } from "./auth-time.ts";

type Parameters = { readonly [name: string]: string };

/**
 * Returns the parameters that a connection adds to the authorization request to its provider. A fixed value in
 * `upstream_params` replaces the default value; an alias applies only if the parameter has no default value.
 * @param loginHint the default of `login_hint`: the identifier that the visitor entered, or the client's own
 * `login_hint`.
 */
export function upstreamParameters(
  { options }: Pick<Row<"connections">, "options">,
  request: AuthorizationRequest,
  loginHint: string | undefined,
): Parameters {
  const { upstream_params: configured } = options;
  const entries = Object.entries(isObject(configured) ? configured : {});
  const sent = aliases(request);
  const aliased = entries.map(([name, parameter]) => [name, isObject(parameter) ? sent[String(parameter["alias"])] : undefined] as const);
  // A login has its own screens for these prompts. A connected account has no screen.
  const prompt = request.ending === "connected-account" ? request.prompt.join(" ") || undefined : undefined;
  const defaults = { prompt, access_type: request.access_type, login_hint: loginHint, ui_locales: request.ui_locales };
  const parameters = { ...texts(aliased), ...texts(Object.entries(defaults)), ...fixedParameters({ options }) };
  return { ...parameters, ...authTimeParameters(request, parameters) };
}

/** Returns the parameters with a fixed value in `upstream_params`. */
export function fixedParameters({ options: { upstream_params: configured } }: Pick<Row<"connections">, "options">): Parameters {
  const entries = Object.entries(isObject(configured) ? configured : {});
  return texts(entries.map(([name, parameter]) => [name, isObject(parameter) ? parameter["value"] : undefined] as const));
}

/** Returns the values in the client's request, by the names that an alias can have. */
function aliases(request: AuthorizationRequest): { readonly [alias: string]: string | undefined } {
  const { acr_values, access_type, audience, client_id, display, id_token_hint, login_hint, response_mode, screen_hint, ui_locales } =
    request;
  return {
    acr_values,
    access_type,
    audience,
    client_id,
    display,
    id_token_hint,
    login_hint,
    response_mode,
    screen_hint,
    ui_locales,
    max_age: request.max_age?.toString(),
    prompt: request.prompt.join(" ") || undefined,
    resource: audience,
    response_type: request.response_type.join(" "),
  };
}

function texts(entries: readonly (readonly [name: string, value: unknown])[]): Parameters {
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => typeof entry[1] === "string"));
}

import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { changedDestination, requireSecretsAgain } from "../secret-destinations.ts";
import { strategyNamed } from "./upstream.ts";

/**
 * Requires that the stored secrets of a connection are sent again if new options change where they are sent.
 * @param sent the secrets that the body sets or removes, by their paths.
 * @throws {PosternError} `invalid_request` that names the secrets.
 */
export function checkSecretsStay(
  row: Pick<Row<"connections">, "strategy" | "options" | "secrets">,
  options: JsonObject,
  sent: JsonObject,
): void {
  const changed = changedDestination(strategyNamed(row.strategy)?.destination ?? [], row.options, options);
  const missing = Object.keys(row.secrets).filter((path) => !Object.hasOwn(sent, path));
  requireSecretsAgain(
    changed.map(nameOf),
    missing.map((path) => nameOf(path.slice(1))),
  );
}

/**
 * Returns the name of an option as it appears in a body.
 * @param path the path of the option, as a JSON pointer without the first slash.
 */
function nameOf(path: string): string {
  return ["options", ...path.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))].join(".");
}

import { PosternError } from "../../../errors.ts";
import { clientOf, type AuthorizationCheck } from "./check.ts";

/** Requires that the client offers the requested connection. */
export const checkConnection: AuthorizationCheck = async (checked) => {
  const { connection: name, connection_scope: scope, access_type: accessType } = checked.sent;
  if (scope !== undefined) checked.request.connection_scope = scope.replaceAll(",", " ");
  if (accessType !== undefined) checked.request.access_type = accessType;
  if (name === undefined || name === "") return;
  if ((await checked.tenant.connections.offeredNamed(clientOf(checked), name)) === undefined) {
    throw new PosternError("invalid_request", "'connection' is not a connection of the client");
  }
  checked.request.connection = name;
};

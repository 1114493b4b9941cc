import { PosternError } from "../../../errors.ts";
import { allowsGrantType } from "../../../model/clients/grant-types.ts";
import { responseTypes } from "../../../authorization/authorization-request.ts";
import { clientOf, type AuthorizationCheck } from "./check.ts";

type ResponseType = (typeof responseTypes)[number];

const isResponseType = (word: string): word is ResponseType => responseTypes.some((type) => type === word);

/**
 * Accepts `code`, `id_token`, `token` or a combination in any order. The client must be allowed to use the grant types
 * that these response types need.
 */
export const checkResponseType: AuthorizationCheck = (checked) => {
  const { response_type: sent } = checked.sent;
  if (sent === undefined || sent === "") throw new PosternError("invalid_request", "'response_type' is missing");
  const words = sent.split(" ").filter((word) => word !== "");
  const types = words.filter(isResponseType);
  if (types.length !== words.length || new Set(types).size !== types.length) {
    throw new PosternError("unsupported_response_type", `'${sent}' is not a supported response type`);
  }
  const { record } = clientOf(checked);
  if (types.includes("code") && !allowsGrantType(record, "authorization_code")) {
    throw new PosternError("unauthorized_client", "the client is not allowed to use the grant type 'authorization_code'");
  }
  if ((types.includes("token") || types.includes("id_token")) && !allowsGrantType(record, "implicit")) {
    throw new PosternError("unauthorized_client", "the client is not allowed to use the grant type 'implicit'");
  }
  checked.request.response_type = types;
};

import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck } from "./check.ts";

/** Maximum bytes of a checked request, as JSON. The request is stored with every login session. */
const maximumBytes = 16_384;
const encoder = new TextEncoder();

/** Limits the size of the stored request. */
export const checkRequestSize: AuthorizationCheck = ({ request }) => {
  if (encoder.encode(JSON.stringify(request)).length > maximumBytes) {
    throw new PosternError("invalid_request", `the parameters must have at most ${maximumBytes} bytes in total`);
  }
};

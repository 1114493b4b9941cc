import { PosternError } from "../../../errors.ts";
import type { Check } from "./check.ts";

/** Maximum bytes of a checked request, as JSON. It is stored with every login session. */
const most = 16_384;
const encoder = new TextEncoder();

/** Limits the size of the stored request. */
export const checkSize: Check = ({ request }) => {
  if (encoder.encode(JSON.stringify(request)).length > most) {
    throw new PosternError("invalid_request", `the parameters are longer than ${most} bytes together`);
  }
};

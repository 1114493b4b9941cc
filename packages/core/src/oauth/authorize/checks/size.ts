import { PosternError } from "../../../errors.ts";
import type { Check } from "./check.ts";

/** Bytes that a request may have once it is checked, as JSON: it is kept with every login session, also of whoever never signs in. */
const most = 16_384;
const encoder = new TextEncoder();

/** What is kept is bounded, whatever single parameters may be. */
export const checkSize: Check = ({ request }) => {
  if (encoder.encode(JSON.stringify(request)).length > most) {
    throw new PosternError("invalid_request", `the parameters are longer than ${most} bytes together`);
  }
};

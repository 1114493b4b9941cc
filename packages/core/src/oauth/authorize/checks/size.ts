import { requireRequestSize } from "../../../authorization/request-size.ts";
import type { AuthorizationCheck } from "./check.ts";

/** Limits the size of the stored request. */
export const checkRequestSize: AuthorizationCheck = ({ request }) => {
  requireRequestSize(request);
};

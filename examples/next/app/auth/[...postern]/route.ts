import { toNextHandlers } from "@postern/next";
import { postern } from "../../../lib/postern.ts";

/** Answers depend on the request, always: nothing here is rendered at build time. */
export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(postern);

import { toNextHandlers } from "@postern/next";
import { openPostern } from "../../../lib/postern.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(openPostern);

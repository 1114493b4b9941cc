import * as z from "zod";
import type { ScreenRequest } from "../screen.ts";
import { read } from "./read-parts.ts";

/** A custom domain. */
export const domainSchema = z.looseObject({
  custom_domain_id: z.string(),
  domain: z.string(),
  status: z.string(),
  created_at: z.string().nullish(),
  verification: z
    .looseObject({
      methods: z.array(z.looseObject({ domain: z.string().nullish(), record: z.string().nullish() })).nullish(),
      error_msg: z.string().nullish(),
    })
    .nullish(),
});

/** Reads the custom domain that the path names. */
export const readDomain = async ({ api, params: { id = "" } }: ScreenRequest) =>
  domainSchema.parse(await read(api, ["custom-domains", id]));

import type { PosternHandler } from "@postern/core";

/** A function that creates the Postern service and opens its database. */
export type OpenService = () => PosternHandler | Promise<PosternHandler>;

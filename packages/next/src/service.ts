import type { PosternHandler } from "@postern/core";

/** A function that opens a Postern: its database, and whatever else it needs. */
export type OpenService = () => PosternHandler | Promise<PosternHandler>;

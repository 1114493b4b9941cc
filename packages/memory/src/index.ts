export { createMemoryAdapter, type MemoryOptions } from "./memory-adapter.ts";

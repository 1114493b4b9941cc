export { memoryAdapter, type MemoryOptions } from "./memory-adapter.ts";

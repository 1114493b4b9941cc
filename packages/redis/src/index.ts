export { redisRateLimiter, type RedisLimit, type RedisRateLimiterOptions } from "./redis-rate-limiter.ts";

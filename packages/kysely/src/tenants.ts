export { migrateTenants, type MigrateTenantsOptions, type TenantProgress, type TenantsMigrated } from "./tenants/migrate-tenants.ts";
export { pgliteSchemas, postgresSchemas, type PGliteSchemasOptions, type PostgresSchemasOptions } from "./tenants/schemas.ts";
export { sqliteFiles, type SqliteFilesOptions } from "./tenants/sqlite-files.ts";
export type { TenantDatabases } from "./tenants/tenant-database.ts";

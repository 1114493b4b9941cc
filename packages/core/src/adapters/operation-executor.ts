/**
 * Sees to it that operations on tenants are done (upgrades, copying from the control plane). Without one of the host's they are done in the process that was asked,
 * two at a time; what a lost process leaves goes on with the next `sweep`.
 */
export interface OperationExecutor {
  /**
   * Told of an operation that is on record and waits. Somewhere, `postern.jobs.runOperation(id)` has to be called: in a worker, from a queue. Called twice for one operation, in two
   * processes at once, it is done once. A throw is logged: `sweep` does the operation later.
   */
  submit(operationId: string): void | Promise<void>;
}

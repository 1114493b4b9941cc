/**
 * Starts operations on tenants (upgrades, synchronization from the control plane). Without an executor from the host
 * application, operations run in the process that received the request, two at a time. If a process crashes, the next
 * `sweep` resumes its operations.
 */
export interface OperationExecutor {
  /**
   * Called with the id of a stored operation that waits to run. A worker must then call
   * `postern.jobs.runOperation(id)`, for example from a queue. If two processes call `runOperation` with the same id,
   * the operation runs once. If `submit` rejects, the rejection is logged, and `sweep` runs the operation later.
   */
  submit(operationId: string): void | Promise<void>;
}

/**
 * Starts operations on tenants (upgrades, synchronization from the control plane). Without an executor of the host
 * application, operations run in the process that received the request, two at a time. The next `sweep` resumes the
 * operations of a process that crashed.
 */
export interface OperationExecutor {
  /**
   * Called with the id of a stored, waiting operation. A worker must then call `postern.jobs.runOperation(id)`, for
   * example from a queue. If two processes call it at the same time, the operation runs once. A rejection is logged,
   * and `sweep` runs the operation later.
   */
  submit(operationId: string): void | Promise<void>;
}

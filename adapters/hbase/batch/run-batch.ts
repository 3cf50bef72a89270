/**
 * Runs a batch of rows: sends the items to their regions' servers in parallel, and resends the items that may still succeed.
 * HBase: AsyncBatchRpcRetryingCaller.
 */

import type { HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import type { RowOperationName } from '../../../src/store/refusals.ts'
import { type Target, targetTable } from '../../../src/store/target.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import { failureOf } from '../retry/failure.ts'
import { FinalFailure } from '../retry/final-failure.ts'
import { JAVA_CLASS } from '../retry/java-exceptions.ts'
import type { Attempt } from '../retry/retrier.ts'
import { storeError } from '../retry/store-error.ts'
import type { CallOptions, RpcConnection } from '../rpc/rpc-connection.ts'
import { type RegionGroup, RegionGroups, type ServerCall } from './region-groups.ts'

/** Items that failed in one round. */
export interface FailedItems {
  /** Undefined where no region was found for them. */
  readonly region?: LocatedRegion
  readonly items: readonly number[]
  readonly error: unknown
}

export interface Batch {
  /** The operation's name in messages: `get of t1`. */
  readonly operation: string
  readonly rowOperation: RowOperationName
  readonly target: Target
  /** The number of the copy of each region that the items go to; undefined or 0: the region itself. Only for a target that is a table. */
  readonly replica?: number
  readonly length: number
  rowOf(index: number): Buffer
  /** Approximate bytes of an item in a request. */
  bytesOf(index: number): number
  /** True once no more items need to be sent. The remaining items then neither succeed nor fail. */
  readonly isEnough?: boolean
  /** Sends one server's items and keeps their results; resolves to the failed items. Rejects where all failed. */
  call(
    connection: RpcConnection,
    groups: readonly RegionGroup[],
    options: CallOptions,
  ): Promise<readonly FailedItems[]>
}

export interface ItemFailure {
  readonly index: number
  readonly error: HBaseError
}

const ANSWER_FULL: ReadonlySet<string> = new Set([
  JAVA_CLASS.retryImmediately,
  JAVA_CLASS.multiActionResultTooLarge,
])

/** Resolves to the items that failed for good, in order of their indexes. Throws where the caller no longer waits. */
export async function runBatch(
  cluster: Cluster,
  batch: Batch,
  call: Call,
  deadline: number = cluster.retrier.deadline(call),
): Promise<ItemFailure[]> {
  const { retrier } = cluster
  const failures: ItemFailure[] = []
  const give = (items: readonly number[], error: HBaseError): void => {
    for (const index of items) failures.push({ index, error })
  }
  let pending = Array.from({ length: batch.length }, (_, index) => index)
  let earlier: unknown
  for (let number = 1; pending.length > 0; number++) {
    retrier.checkIsAwaited(call)
    const sent = pending.length
    const attempt = retrier.attempt(number, deadline, call, earlier)
    const failed = await runRound(cluster, batch, pending, attempt)
    const again = failed.filter(({ error }) => failureOf(error).kind !== 'final')
    for (const { items, error } of failed) {
      if (failureOf(error).kind === 'final') give(items, storeError(error))
    }
    if (batch.isEnough === true) {
      retrier.succeeded()
      break
    }
    pending = again.flatMap(({ items }) => items).sort((a, b) => a - b)
    if (pending.length < sent) retrier.succeeded()
    if (pending.length === 0) break
    if (pending.length < sent && again.every(({ error }) => isAnswerFull(error))) {
      number = 0
      continue
    }
    try {
      earlier = await retrier.pause(batch.operation, attempt, again[0]!.error)
    } catch (error) {
      give(pending, storeError(error))
      break
    }
  }
  return failures.sort((a, b) => a.index - b.index)
}

/** True where the server stopped at a full answer: the rest may be resent at once. */
function isAnswerFull(error: unknown): boolean {
  return error instanceof RemoteException && ANSWER_FULL.has(error.javaClass)
}

async function runRound(
  cluster: Cluster,
  batch: Batch,
  items: readonly number[],
  attempt: Attempt,
): Promise<FailedItems[]> {
  const failed: FailedItems[] = []
  const groups = await grouped(cluster, batch, items, attempt, failed)
  await Promise.all(
    [...groups.calls()].map(async (calls) => {
      for (const call of calls) {
        if (batch.isEnough === true) return
        failed.push(...(await callServer(cluster, batch, call, attempt)))
      }
    }),
  )
  if (failed.some(({ error }) => failureOf(error).kind === 'not-serving')) {
    try {
      await cluster.locator.checkEnabled(targetTable(batch.target), attempt)
    } catch (error) {
      return failed.map((failure) =>
        failureOf(failure.error).kind === 'not-serving' ? { ...failure, error } : failure,
      )
    }
  }
  return failed
}

/** The items by server and region. Adds the items for which no region was found to `failed`. */
async function grouped(
  { targets }: Cluster,
  batch: Batch,
  items: readonly number[],
  attempt: Attempt,
  failed: FailedItems[],
): Promise<RegionGroups> {
  const groups = new RegionGroups()
  for (const [position, index] of items.entries()) {
    const row = batch.rowOf(index)
    try {
      const { target, replica = 0 } = batch
      let region = groups.regionOf(row) ?? (replica === 0 ? targets.cached(target, row) : undefined)
      if (region === undefined) {
        const locate = (): Promise<LocatedRegion> => targets.locate(target, row, batch.rowOperation, attempt)
        region = await (replica === 0
          ? locate()
          : targets.copy(await targets.withCopies(locate), replica, attempt))
      }
      groups.add(index, region, batch.bytesOf(index))
    } catch (error) {
      const isOfRow = failureOf(error).kind === 'not-serving' || isOutOfRange(error)
      const lost = isOfRow ? [index] : items.slice(position)
      failed.push({ items: lost, error })
      if (!isOfRow) break
    }
  }
  return groups
}

/** True where the region that the request names does not have the row. */
function isOutOfRange(error: unknown): boolean {
  return error instanceof FinalFailure && error.error.javaClass === JAVA_CLASS.wrongRegion
}

async function callServer(
  cluster: Cluster,
  batch: Batch,
  serverCall: ServerCall,
  attempt: Attempt,
): Promise<readonly FailedItems[]> {
  const groups = [...serverCall.groups.values()]
  const { connections, locator, retrier } = cluster
  const { server } = groups[0]!.region
  let failed: readonly FailedItems[]
  try {
    const connection =
      connections.opened(server, 'ClientService', attempt.call) ??
      (await connections.get(server, 'ClientService', attempt.deadline, attempt.call))
    const { number, deadline, call } = attempt
    failed = await batch.call(connection, groups, retrier.attempt(number, deadline, call))
  } catch (error) {
    failed = groups.map(({ region, items }) => ({ region, items, error }))
  }
  if (!retrier.isAwaited(attempt.call)) return failed
  for (const { region, error } of failed) if (region !== undefined) locator.failed(region, error)
  return failed
}

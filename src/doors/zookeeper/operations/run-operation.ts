/** Runs an operation, counts its outcome, and answers its error by the protocol's code. */

import type { RequestFailures } from '../../../gateway/observing/logs/request-failures.ts'
import type { DoorCounters, RequestCounts } from '../../../gateway/observing/metrics.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { ERROR_CODE } from '../../../wire/zookeeper/codes.ts'
import type { JuteReader } from '../../../wire/zookeeper/jute-reader.ts'
import { type Operation, type OperationContext, type Response, ZooKeeperError } from './operation.ts'

export interface CountedOperation {
  readonly run: Operation
  readonly counts: RequestCounts
}

export interface Outcome {
  /** One of ERROR_CODE. */
  readonly err: number
  readonly response: Response
}

interface Watched {
  readonly counters: DoorCounters
  readonly failures: RequestFailures
}

/** Runs an operation. Never throws or rejects. Returns a promise only where the operation does. */
export function runOperation(
  operation: CountedOperation,
  reader: JuteReader,
  context: OperationContext,
  watched: Watched,
): Outcome | Promise<Outcome> {
  const { counts } = operation
  const since = performance.now()
  const succeed = (response: Response): Outcome => {
    counts.ok++
    counts.latencies.add(performance.now() - since)
    return { err: ERROR_CODE.ok, response }
  }
  const fail = (error: unknown): Outcome => {
    counts.latencies.add(performance.now() - since)
    return { err: errorOf(error, counts, watched), response: undefined }
  }
  try {
    const response = operation.run(reader, context)
    return response instanceof Promise ? response.then(succeed, fail) : succeed(response)
  } catch (error) {
    return fail(error)
  }
}

function errorOf(error: unknown, counts: RequestCounts, { counters, failures }: Watched): number {
  if (error instanceof ZooKeeperError) {
    counts.refused++
    return error.err
  }
  if (isHBaseError(error) && error.code === 'IO') {
    counters.malformed(counts)
    return ERROR_CODE.marshallingError
  }
  counters.threw(counts, error)
  failures.failed(error, {})
  return ERROR_CODE.systemError
}

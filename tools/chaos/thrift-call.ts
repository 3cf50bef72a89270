import { type ThriftAnswer, ThriftClient } from '../../conformance/src/runner/thrift-client.ts'
import type { ThriftObject } from '../../src/wire/thrift/value-codec.ts'
import { Retryable } from './calls.ts'

/** Longer than any deadline: a longer request hangs. */
const CLIENT_TIMEOUT_MS = 60_000

/** One connection to Thrift 1 or 2: a call resolves to its answer or throws its exception. */
export class ThriftCalls {
  readonly #door: 'thrift1' | 'thrift2'
  readonly #client: ThriftClient

  constructor(door: 'thrift1' | 'thrift2', port: number) {
    this.#door = door
    this.#client = new ThriftClient({ host: '127.0.0.1', port }, CLIENT_TIMEOUT_MS, true)
  }

  /** Throws Retryable if the exception says that a retry may succeed. */
  async call<T>(method: string, args: ThriftObject): Promise<T> {
    const answer = await this.#client.call({ door: this.#door, method, args: {} }, args)
    if (answer.kind === 'result') return answer.value as T
    throw failure(answer)
  }

  close(): void {
    this.#client.close()
  }
}

function failure(answer: Exclude<ThriftAnswer, { kind: 'result' }>): Error {
  if (answer.kind === 'application') return new Error(`TApplicationException: ${answer.message}`)
  const { message, canRetry } = answer.fields
  const text = `${answer.name}: ${String(message)}`
  return canRetry === true ? new Retryable(text) : new Error(text)
}

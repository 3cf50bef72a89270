import type { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { areGone, type Callers, type Waiting } from './caller-watch.ts'
import type { RpcResponse } from './rpc-connection.ts'
import { RpcError } from './rpc-error.ts'

type AnyMethod = Omit<RpcMethod<never, unknown>, 'encode'> & {
  encode(request: never, writer: MessageWriter): void
}

type Fail = (call: PendingCall, error: RpcError) => void

/** An unanswered call. */
export class PendingCall implements Waiting {
  readonly id: number
  readonly method: AnyMethod
  readonly startedAt: number = performance.now()
  readonly deadline: number
  readonly callers: Callers
  readonly resolve: (response: RpcResponse<never>) => void
  readonly reject: (error: Error) => void
  /** True until the request is handed to the socket. */
  waiting = false
  /** Offsets of the waiting request in the queue's buffer. */
  requestStart = 0
  requestEnd = 0
  readonly #fail: Fail

  /** `fail` ends a call whose callers have all hung up. */
  constructor(
    id: number,
    method: AnyMethod,
    timeoutMs: number,
    callers: Callers,
    resolve: (response: RpcResponse<never>) => void,
    reject: (error: Error) => void,
    fail: Fail,
  ) {
    this.id = id
    this.method = method
    this.deadline = this.startedAt + timeoutMs
    this.callers = callers
    this.resolve = resolve
    this.reject = reject
    this.#fail = fail
  }

  callerGone(): void {
    if (!areGone(this.callers)) return
    this.#fail(this, new RpcError('CALL_CANCELLED', 'the client has hung up', { sent: !this.waiting }))
  }
}

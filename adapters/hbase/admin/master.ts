import { HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import { OUTAGE_WAIT_MS } from '../../../src/store/outage-wait.ts'
import type { GetProcedureResultResponse } from '../../../src/wire/rpc/gen/master_pb.ts'
import { GetProcedureResultResponse_State, MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { type RpcMethod, rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Attempt } from '../retry/retrier.ts'
import { storeError } from '../retry/store-error.ts'
import type { RpcConnection } from '../rpc/rpc-connection.ts'

/** A procedure over all regions of a table may take long. HBase: hbase.client.sync.wait.timeout.msec. */
const PROCEDURE_TIMEOUT_MS = 600_000
/** The least time for a question about the state of a procedure, so that a late answer is no sign of an outage. */
const QUESTION_MS_MIN = 10_000
/** Pauses between two questions about the state of a procedure. */
const POLL_MS_MIN = 10
const POLL_MS_MAX = 500

const ADVICE =
  "it goes on in the cluster, which answers; list_procedures and list_locks of HBase's shell, and the master's log, show what it waits for"

const GET_PROCEDURE_RESULT = rpcMethod(MasterService.method.getProcedureResult)

/** A repeated request with the same nonce finds the procedure that the first one began. */
export interface ProcedureNonce {
  readonly nonceGroup: bigint
  readonly nonce: bigint
}

/** The active master: asks it questions, and makes changes, which end when their procedure ends. */
export class Master {
  readonly #cluster: Cluster
  readonly #random: () => number
  readonly #nonceGroup: bigint

  /** `random`: from 0 to less than 1. */
  constructor(cluster: Cluster, random: () => number) {
    this.#cluster = cluster
    this.#random = random
    this.#nonceGroup = this.#randomInt64()
  }

  /** Asks the master. `operation` is for messages, as `table t1`. Throws HBaseErrors. */
  ask<Request, Response>(
    operation: string,
    method: RpcMethod<Request, Response>,
    request: Request,
    call: Call,
    deadline?: number,
  ): Promise<Response> {
    const asking = async (connection: RpcConnection, attempt: Attempt): Promise<Response> => {
      const { message } = await connection.call(method, request, attempt)
      return message
    }
    return this.#cluster.onMaster(operation, call, asking, 'MasterService', deadline)
  }

  /** As ask, for questions about the cluster itself. If the cluster is absent, it throws within OUTAGE_WAIT_MS. */
  async look<Request, Response>(
    operation: string,
    method: RpcMethod<Request, Response>,
    request: Request,
    call: Call,
  ): Promise<Response> {
    return this.ask(operation, method, request, call, await this.#deadlineOfLook(call))
  }

  /**
   * OUTAGE_WAIT_MS from now during an outage of the whole cluster, or before its first answer: the caller then wants to see the outage.
   * Otherwise the call's own deadline.
   */
  async #deadlineOfLook(call: Call): Promise<number> {
    const { retrier, outages } = this.#cluster
    const soon = retrier.time.now() + OUTAGE_WAIT_MS
    const isThere = (await this.#cluster.lookFirst()) && outages.reasonOfAll === undefined
    const deadline = retrier.deadline(call)
    return isThere ? deadline : Math.min(soon, deadline)
  }

  /** Resolves when the procedure has made the change. Throws the refusal of the master or of the procedure. */
  async change<Request>(
    operation: string,
    method: RpcMethod<Request, { readonly procId: bigint }>,
    call: Call,
    request: (nonce: ProcedureNonce) => Request,
  ): Promise<void> {
    const { procId } = await this.ask(operation, method, request(this.nonce()), call)
    await this.procedureEnd(operation, procId, call)
  }

  nonce(): ProcedureNonce {
    return { nonceGroup: this.#nonceGroup, nonce: this.#randomInt64() }
  }

  /** Resolves when the procedure has ended. Throws its failure. */
  async procedureEnd(operation: string, procId: bigint, call: Call): Promise<void> {
    await this.until(`${operation}: procedure ${procId}`, PROCEDURE_TIMEOUT_MS, call, async (deadline) => {
      const result = await this.ask(operation, GET_PROCEDURE_RESULT, { procId }, call, deadline)
      if (result.state === GetProcedureResultResponse_State.RUNNING) return false
      // The master forgets procedures that ended long ago. Java clients too take an unknown one for a success.
      throwFailure(result)
      return true
    })
  }

  /** Repeats `hasEnded` until it resolves to true. Throws TIMEOUT after `timeoutMs`, with `what` in the message. */
  async until(
    what: string,
    timeoutMs: number,
    call: Call,
    hasEnded: (deadline: number) => Promise<boolean>,
  ): Promise<void> {
    const { retrier } = this.#cluster
    const begun = retrier.time.now()
    const deadline = retrier.deadline(call, timeoutMs)
    for (let pauseMs = POLL_MS_MIN; ; pauseMs = Math.min(POLL_MS_MAX, pauseMs * 2)) {
      const leftMs = deadline - retrier.time.now()
      if (await hasEnded(retrier.deadline(call, Math.max(leftMs, QUESTION_MS_MIN)))) return
      if (retrier.time.now() + pauseMs >= deadline) {
        const passed = `has not ended within ${Math.round(deadline - begun)} ms`
        throw new HBaseError('TIMEOUT', `${what} ${passed}: ${ADVICE}`)
      }
      await retrier.sleep(pauseMs, call)
      retrier.checkIsAwaited(call)
    }
  }

  /** A random number other than 0, which means no nonce. */
  #randomInt64(): bigint {
    const half = (): bigint => BigInt(Math.floor(this.#random() * 0x1_0000_0000))
    return (half() << 31n) | half() | 1n
  }
}

function throwFailure({ exception }: GetProcedureResultResponse): void {
  const generic = exception?.genericException
  if (generic === undefined) return
  const { className: javaClass, message } = generic
  const failure = storeError(new RemoteException({ javaClass, stackTrace: message, doNotRetry: true }))
  // Java's clients build this exception themselves and print it otherwise than one that a server throws.
  throw new HBaseError(failure.code, failure.message, {
    detail: { javaClass, ofProcedure: true },
    cause: failure.cause,
    javaClass,
  })
}

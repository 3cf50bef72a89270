/**
 * The master's changes. HBase's are procedures: a call begins one, and its client asks for the result by its id. Tidegate
 * answers the call once the change is made or refused, unless it takes long; then the client finds it running.
 */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { boundedText } from '../../../model/bounded-text.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { type Call, toTheEnd } from '../../../store/call.ts'
import {
  GetProcedureResultResponse_State,
  type GetProcedureResultResponseSchema,
} from '../../../wire/rpc/gen/master_pb.ts'
import { type ProcedureSchema, ProcedureState } from '../../../wire/rpc/gen/procedure_pb.ts'
import { javaException } from '../messages/exceptions.ts'
import { isFoundByProcedure, requestKind, shownProcedure } from './procedure-class.ts'
import { requestState, stepsState } from './procedure-state.ts'

/** Well within the 60 s for which clients wait for an answer. */
const ANSWER_MS = 10_000
/** Ended procedures that are remembered for clients that have not asked yet: each with a message of an error, which is bounded. */
const ENDED_MAX = 1000

const { NOT_FOUND, RUNNING, FINISHED } = GetProcedureResultResponse_State

type Result = MessageInitShape<typeof GetProcedureResultResponseSchema>

/** A request for a change. A client that repeats a request names the first one by its nonce. Zeros: it does not. */
export interface Nonce {
  /** Of a message: `hbase.pb.CreateTableRequest`, by which HBase's class of the procedure is known. */
  readonly $typeName?: string
  readonly nonceGroup: bigint
  readonly nonce: bigint
}

/** Of a request that HBase gives no nonce. */
export const NO_NONCE: Nonce = { nonceGroup: 0n, nonce: 0n }

interface Procedure {
  readonly id: bigint
  /** Of its request, as `CreateTable`. */
  readonly kind: string | undefined
  readonly request: Pick<Nonce, 'nonceGroup' | 'nonce'>
  readonly nonce: string | undefined
  /** The user who asked for it; undefined where the client has named none. */
  readonly owner: string | undefined
  /** The messages of its request: each a google.protobuf.Any. */
  readonly state: readonly Uint8Array[]
  readonly submittedAt: number
  /** Resolves once the change has ended, well or badly. */
  readonly end: Promise<void>
  endedAt?: number
  failure?: HBaseError
}

export class Procedures {
  readonly #answerMs: number
  readonly #byId = new Map<bigint, Procedure>()
  readonly #byNonce = new Map<string, Procedure>()
  #lastId: bigint

  /** `lastId`: before the first id. */
  constructor(answerMs: number = ANSWER_MS, lastId = 0) {
    this.#answerMs = answerMs
    this.#lastId = BigInt(lastId)
  }

  /**
   * Makes a change, which goes on when the client hangs up, and resolves with its id. Throws the refusal of a change that
   * ends soon. A repeated request waits for the change of the first one. The procedure's result tells of `isFoundByProcedure`.
   */
  async run(request: Nonce, call: Call, change: (call: Call) => Promise<void>): Promise<{ procId: bigint }> {
    const known = this.#find(request)
    const { procedure, made } =
      known === undefined
        ? this.#begin(request, call, () => change(unhurried(call)))
        : { procedure: known, made: undefined }
    await settledWithin(procedure.end, this.#answerMs)
    const { failure } = procedure
    if (failure === undefined || isFoundByProcedure(failure)) return { procId: procedure.id }
    // The first request fails with the error itself, whose cause the log tells.
    await made
    throw failure
  }

  /** As `run`, for a request that HBase answers once its procedure has ended. */
  async runToEnd(request: Nonce, call: Call, change: (call: Call) => Promise<void>): Promise<void> {
    await this.#begin(request, call, () => change(call)).made
  }

  /**
   * As `run`, for a change whose refusal HBase reports with the procedure's result, to clients that ask for that: others wait.
   * Rights are looked at before the procedure begins. HBase: ProcedurePrepareLatch.createLatch.
   */
  async submit(
    request: Nonce,
    call: Call,
    change: (call: Call) => Promise<void>,
    asksForResult: boolean,
  ): Promise<{ procId: bigint }> {
    if (!asksForResult) return this.run(request, call, change)
    const procedure =
      this.#find(request) ?? this.#begin(request, call, () => change(unhurried(call))).procedure
    await settledWithin(procedure.end, this.#answerMs)
    const { id, failure } = procedure
    if (failure?.code === 'ACCESS_DENIED') throw failure
    return { procId: id }
  }

  /** All that are remembered, the oldest first, but for those that a real HBase would have refused before they began. */
  list(): MessageInitShape<typeof ProcedureSchema>[] {
    return [...this.#byId.values()].flatMap(listed)
  }

  /** HBase: MasterRpcServices.getProcedureResult, whose client then has the result. */
  result(id: bigint): Result {
    const procedure = this.#byId.get(id)
    if (procedure === undefined) return { state: NOT_FOUND }
    const { submittedAt, endedAt, failure } = procedure
    const submittedTime = BigInt(submittedAt)
    if (endedAt === undefined) return { state: RUNNING, submittedTime, lastUpdate: submittedTime }
    return {
      state: FINISHED,
      submittedTime,
      lastUpdate: BigInt(endedAt),
      ...(failure && { exception: foreignException(failure) }),
    }
  }

  #find(request: Nonce): Procedure | undefined {
    const nonce = nonceKey(request)
    return nonce === undefined ? undefined : this.#byNonce.get(nonce)
  }

  /** Throws before the change begins where the request lacks a field that HBase requires. */
  #begin(
    request: Nonce,
    call: Call,
    change: () => Promise<void>,
  ): { readonly procedure: Procedure; readonly made: Promise<void> } {
    const nonce = nonceKey(request)
    const state = requestState(request, call.principal?.user)
    const made = change()
    const end = made.then(
      () => this.#ended(procedure),
      (error: unknown) => this.#ended(procedure, rememberedFailure(error)),
    )
    const procedure: Procedure = {
      id: ++this.#lastId,
      kind: requestKind(request),
      request: { nonceGroup: request.nonceGroup, nonce: request.nonce },
      nonce,
      owner: call.principal?.user,
      state,
      submittedAt: Date.now(),
      end,
    }
    this.#byId.set(procedure.id, procedure)
    if (nonce !== undefined) this.#byNonce.set(nonce, procedure)
    return { procedure, made }
  }

  #ended(procedure: Procedure, failure?: HBaseError): void {
    procedure.endedAt = Date.now()
    if (failure !== undefined) procedure.failure = failure
    if (this.#byId.size <= ENDED_MAX) return
    for (const old of this.#byId.values()) {
      if (old.endedAt === undefined) continue
      this.#byId.delete(old.id)
      if (old.nonce !== undefined) this.#byNonce.delete(old.nonce)
      return
    }
  }
}

/** The part of the error that clients are told, and no more: the error itself may hold on to the request with its stack or its cause. */
function rememberedFailure(error: unknown): HBaseError {
  if (isHBaseError(error))
    return new HBaseError(error.code, boundedText(error.message), { javaClass: error.javaClass })
  const { javaClass, message, doNotRetry } = javaException(error)
  return new HBaseError(doNotRetry ? 'DO_NOT_RETRY' : 'IO', boundedText(message), { javaClass })
}

function nonceKey({ nonceGroup, nonce }: Nonce): string | undefined {
  return nonce === 0n ? undefined : `${nonceGroup}:${nonce}`
}

/** HBase: ProtobufUtil.toProtoProcedure. */
function listed(procedure: Procedure): MessageInitShape<typeof ProcedureSchema>[] {
  const { id, kind, request, nonce, owner, submittedAt, endedAt, failure } = procedure
  const shown = shownProcedure({ kind, hasNonce: nonce !== undefined, failure })
  if (shown === undefined) return []
  const { className, source, hasState } = shown
  const hasEnded = endedAt !== undefined
  return [
    {
      className,
      procId: id,
      submittedTime: BigInt(submittedAt),
      ...(owner !== undefined && { owner }),
      lastUpdate: BigInt(endedAt ?? submittedAt),
      state: stateOf(hasEnded, failure !== undefined),
      ...(nonce !== undefined && request),
      ...(hasState && { stateMessage: [stepsState(hasEnded && !failure), ...procedure.state] }),
      ...(hasEnded && { executed: hasState }),
      ...(failure && { exception: foreignException(failure, source) }),
    },
  ]
}

/** HBase's master undoes what a procedure has done before it failed, as a store here does. */
function stateOf(hasEnded: boolean, hasFailed: boolean): ProcedureState {
  if (!hasEnded) return ProcedureState.RUNNABLE
  return hasFailed ? ProcedureState.ROLLEDBACK : ProcedureState.SUCCESS
}

/** A change of the master does not end with the patience of its client. */
function unhurried(call: Call): Call {
  return { ...toTheEnd(call), deadline: Number.POSITIVE_INFINITY }
}

async function settledWithin(end: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([end, late])
  clearTimeout(timer)
}

/** HBase: ForeignExceptionUtil.toProtoForeignException. */
function foreignException(error: HBaseError, source = 'master'): NonNullable<Result['exception']> {
  const { javaClass, message } = javaException(error)
  return { source, genericException: { className: javaClass, message } }
}

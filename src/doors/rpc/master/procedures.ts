/**
 * The master's changes, as HBase's procedures: a call begins one, and its client asks for the result by its id. Tidegate answers the call
 * once the change is made or refused. If it takes long, the call is answered before, and the client finds the procedure running.
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

/** Time in milliseconds after which a call is answered while its change still runs. Clients wait 60 s for an answer. */
const ANSWER_MS = 10_000
/** Most ended procedures that are remembered for clients that have not asked yet. The message of an error is bounded. */
const ENDED_MAX = 1000

const { NOT_FOUND, RUNNING, FINISHED } = GetProcedureResultResponse_State

type Result = MessageInitShape<typeof GetProcedureResultResponseSchema>

/** A request for a change. A client that repeats a request sends the same nonce again. Zeros stand for no nonce. */
export interface Nonce {
  /** Type of the request's message, such as `hbase.pb.CreateTableRequest`. It decides HBase's class of the procedure. */
  readonly $typeName?: string
  readonly nonceGroup: bigint
  readonly nonce: bigint
}

/** The nonce of a request to which HBase gives none. */
export const NO_NONCE: Nonce = { nonceGroup: 0n, nonce: 0n }

interface Procedure {
  readonly id: bigint
  /** The kind of its request, such as `CreateTable`; undefined where the request is no message. */
  readonly kind: string | undefined
  readonly request: Pick<Nonce, 'nonceGroup' | 'nonce'>
  readonly nonce: string | undefined
  /** The user who asked for the change; undefined where the client names none. */
  readonly owner: string | undefined
  /** The messages of its request: each a google.protobuf.Any. */
  readonly state: readonly Uint8Array[]
  readonly submittedAt: number
  /** Resolves once the change has ended, also where it has failed. */
  readonly end: Promise<void>
  endedAt?: number
  failure?: HBaseError
}

export class Procedures {
  readonly #answerMs: number
  readonly #byId = new Map<bigint, Procedure>()
  readonly #byNonce = new Map<string, Procedure>()
  #lastId: bigint

  /** `answerMs`: time after which a call is answered while its change runs. `lastId`: one less than the first id. */
  constructor(answerMs: number = ANSWER_MS, lastId = 0) {
    this.#answerMs = answerMs
    this.#lastId = BigInt(lastId)
  }

  /**
   * Makes a change, which goes on when the client hangs up. Resolves to its id. Throws the failure of a change that ends soon, unless
   * `isFoundByProcedure`: the client gets such a failure with the procedure's result. A repeated request waits for the first one's change.
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
    // The first request fails with the error itself, whose cause is logged.
    await made
    throw failure
  }

  /** Makes a change as `run` does, for a request that HBase answers only after its procedure has ended. */
  async runToEnd(request: Nonce, call: Call, change: (call: Call) => Promise<void>): Promise<void> {
    await this.#begin(request, call, () => change(call)).made
  }

  /**
   * Makes a change as `run` does, but answers its refusal with the procedure's result, to clients that ask for that. For other clients this
   * is `run`. Permissions are checked before the procedure begins. HBase: ProcedurePrepareLatch.createLatch.
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

  /** All remembered procedures, the oldest first. Those that HBase would have refused before they began are left out. */
  list(): MessageInitShape<typeof ProcedureSchema>[] {
    return [...this.#byId.values()].flatMap(listed)
  }

  /** The result of a procedure. HBase: MasterRpcServices.getProcedureResult. */
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

  /** Begins a change. Throws before it begins where the request lacks a field that HBase requires. */
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

/** The parts of an error that clients get. The error itself is not kept: its stack or cause may hold the whole request in memory. */
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

/** The state of a procedure. A failed one is rolled back: HBase's master undoes its steps, and a store does the same. */
function stateOf(hasEnded: boolean, hasFailed: boolean): ProcedureState {
  if (!hasEnded) return ProcedureState.RUNNABLE
  return hasFailed ? ProcedureState.ROLLEDBACK : ProcedureState.SUCCESS
}

/** The call without the client's deadline and hang-up: a change of the master goes on without its client. */
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

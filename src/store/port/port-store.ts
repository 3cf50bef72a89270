import type { MessagePort } from 'node:worker_threads'
import { EndOfTurn } from '../../model/end-of-turn.ts'
import { HBaseError } from '../../model/errors.ts'
import { MutationBatch } from '../../model/mutation.ts'
import type { Call } from '../call.ts'
import type { MutationFailure, Rows } from '../rows.ts'
import type { Store } from '../store.ts'
import { Packer, Unpacker } from './packed-values.ts'
import { PlainWritesWriter } from './plain-writes.ts'
import {
  ALL_OPERATIONS,
  type Answered,
  type Asked,
  type Described,
  MUTATE,
  type Replies,
  type Request,
  type Requests,
  STORE_METHODS,
} from './port-messages.ts'

/** Resolves to the store at the other end of the port, where `serveStore` answers. Nothing but messages crosses. */
export function connectStore(port: MessagePort): Promise<Store> {
  const caller = new PortCaller(port)
  return new Promise((resolve) => {
    port.on('message', (replies: Replies) => {
      for (const reply of replies) {
        if (reply.kind === 'store') resolve(storeOf(reply, caller))
        else if (reply.kind === 'done') caller.settleWrites(reply.ids)
        else caller.settle(reply)
      }
    })
    port.on('close', () => caller.close())
  })
}

/** A signal that has crossed. */
interface CrossedSignal {
  readonly id: number
  /** Calls under way that have the signal. */
  used: number
}

interface Waiting {
  readonly signals: readonly CrossedSignal[]
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

const NO_SIGNALS: readonly CrossedSignal[] = []
const NO_FAILURES: readonly MutationFailure[] = []

class PortCaller {
  readonly #port: MessagePort
  readonly #turn = new EndOfTurn(() => this.#post())
  #requests: Request[] = []
  #moved: ArrayBuffer[] = []
  /** Writes that come after all of `#requests`. */
  readonly #writes = new PlainWritesWriter((caller) => this.#send({ kind: 'gone', caller }))
  readonly #waiting = new Map<number, Waiting>()
  readonly #signals = new WeakMap<AbortSignal, CrossedSignal>()
  #last = 0
  #isClosed = false

  constructor(port: MessagePort) {
    this.#port = port
  }

  ask(operation: Asked['operation'], args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw storeIsGone()
      if (operation === MUTATE && this.#addWrite(this.#last + 1, args)) {
        this.#waiting.set(++this.#last, { signals: NO_SIGNALS, resolve, reject })
        return
      }
      const signals: CrossedSignal[] = []
      const packer = new Packer((signal) => {
        const crossed = this.#crossed(signal)
        signals.push(crossed)
        return crossed.id
      })
      const id = ++this.#last
      const packed = packer.pack(args)
      this.#send({ kind: 'ask', id, operation, args: packed, small: packer.small() }, packer.moved)
      for (const signal of signals) signal.used++
      this.#waiting.set(id, { signals, resolve, reject })
    })
  }

  settleWrites(ids: readonly number[]): void {
    for (const id of ids) this.#ended(id).resolve(NO_FAILURES)
  }

  settle({ id, value, error, small }: Answered): void {
    const { resolve, reject } = this.#ended(id)
    const unpacker = new Unpacker(small)
    if (error === undefined) resolve(unpacker.unpack(value))
    else reject(unpacker.unpack(error))
  }

  /** The other end is gone. */
  close(): void {
    this.#isClosed = true
    for (const id of this.#waiting.keys()) this.#ended(id).reject(storeIsGone())
  }

  #ended(id: number): Waiting {
    const waiting = this.#waiting.get(id)!
    this.#waiting.delete(id)
    for (const signal of waiting.signals) signal.used--
    return waiting
  }

  /** Many calls have the same signal, that of their connection: one listener serves all. */
  #crossed(signal: AbortSignal): CrossedSignal {
    const known = this.#signals.get(signal)
    if (known !== undefined) return known
    const crossed: CrossedSignal = { id: ++this.#last, used: 0 }
    this.#signals.set(signal, crossed)
    const abort = (): void => {
      if (crossed.used > 0) this.#send({ kind: 'abort', signal: crossed.id })
    }
    if (!signal.aborted) signal.addEventListener('abort', abort, { once: true })
    return crossed
  }

  /** True where the write is a plain one. */
  #addWrite(id: number, args: readonly unknown[]): boolean {
    const [target, batch, call] = args as Parameters<Rows['mutate']>
    if (!(batch instanceof MutationBatch) || !this.#writes.add(id, target, batch, call)) return false
    if (this.#writes.isFull) this.#endWrites()
    this.#turn.ask()
    return true
  }

  #send(request: Request, moved: readonly ArrayBuffer[] = []): void {
    if (this.#isClosed) return
    this.#endWrites()
    this.#requests.push(request)
    for (const memory of moved) this.#moved.push(memory)
    this.#turn.ask()
  }

  #endWrites(): void {
    const writes = this.#writes.take()
    if (writes !== undefined) this.#requests.push(writes)
  }

  #post(): void {
    this.#endWrites()
    const [requests, moved] = [this.#requests, this.#moved]
    this.#requests = []
    this.#moved = []
    if (!this.#isClosed) this.#port.postMessage(requests satisfies Requests, moved)
  }
}

function storeIsGone(): HBaseError {
  return new HBaseError('UNAVAILABLE', 'the thread that has the store is closing')
}

type Method = (...args: unknown[]) => unknown
type Methods = Record<string, unknown>

function storeOf(described: Described, caller: PortCaller): Store {
  const { name, reach, carriesTags, facts, operations } = described
  const facets: Record<string, Methods> = { rows: {}, handouts: {}, catalog: {} }
  for (const place of operations) {
    const { facet, method } = ALL_OPERATIONS[place]!
    const methods = (facets[facet] ??= {})
    methods[method] = methodOf(place, caller)
  }
  for (const [facet, ofFacet] of Object.entries(facts)) Object.assign((facets[facet] ??= {}), ofFacet)
  const own = STORE_METHODS.map(
    (method) => [method, (...args: unknown[]) => caller.ask(method, args)] as const,
  )
  const { rows, handouts, catalog, ...upkeep } = facets
  const store = {
    kind: name,
    ...(reach && { reach }),
    ...(carriesTags !== undefined && { carriesTags }),
    rows,
    handouts,
    catalog,
    upkeep,
    ...Object.fromEntries(own),
  }
  return store as unknown as Store
}

function methodOf(place: number, caller: PortCaller): Method {
  const { facet, method, call } = ALL_OPERATIONS[place]!
  if (facet === 'handouts' && method === 'release') {
    return (...args) => {
      // Has no answer. Where the other end is gone, so is the loan.
      caller.ask(place, args).catch(() => undefined)
    }
  }
  if (call === undefined) return (...args) => caller.ask(place, args)
  return (...args) => caller.ask(place, args.with(call, crossing(args[call] as Call)))
}

/** The call without its memory, which stays on the caller's side. */
function crossing(call: Call): Call {
  return call.memory === undefined ? call : { ...call, memory: undefined }
}

import type { MessagePort } from 'node:worker_threads'
import type { LentResults } from '../../model/results.ts'
import type { Rows } from '../rows.ts'
import type { Store } from '../store.ts'
import { Packer, Unpacker } from './packed-values.ts'
import { PlainWritesReader } from './plain-writes.ts'
import {
  ALL_OPERATIONS,
  type Answered,
  type Asked,
  type Described,
  FACTS,
  type Replies,
  type Reply,
  type Requests,
} from './port-messages.ts'

type Method = (...args: unknown[]) => unknown

/** Answers the messages from the port with the store's methods, until the port is closed. */
export function serveStore(store: Store, port: MessagePort): void {
  const signals = new Signals()
  const writes = new PlainWritesReader()
  const replies = new ReplyBox(port)
  const methods = ALL_OPERATIONS.map((_, place) => methodOf(store, place))
  const answer = async ({ id, operation, args, small }: Asked): Promise<void> => {
    const used: number[] = []
    const method = typeof operation === 'number' ? methods[operation]! : methodOf(store, operation)!
    try {
      const unpacker = new Unpacker(small, (signal, aborted) => {
        used.push(signal)
        return signals.use(signal, aborted)
      })
      const value: unknown = await method(...(unpacker.unpack(args) as unknown[]))
      replies.add(valueOf(id, value, store))
    } catch (error) {
      replies.add(failureOf(id, error))
    }
    for (const signal of used) signals.leave(signal)
  }
  const answerWrite = async (id: number, ...write: Parameters<Rows['mutate']>): Promise<void> => {
    try {
      const failures = await store.rows.mutate(...write)
      if (failures.length === 0) replies.written(id)
      else replies.add(valueOf(id, failures, store))
    } catch (error) {
      replies.add(failureOf(id, error))
    }
  }
  port.on('message', (requests: Requests) => {
    for (const request of requests) {
      if (request.kind === 'ask') void answer(request)
      else if (request.kind === 'writes') writes.read(request, (...write) => void answerWrite(...write))
      else if (request.kind === 'abort') signals.abort(request.signal)
      else writes.gone(request.caller)
    }
  })
  // Their callers are gone.
  port.on('close', () => {
    signals.abortAll()
    writes.allGone()
  })
  const operations = methods.flatMap((method, place) => (method === undefined ? [] : [place]))
  port.postMessage([described(store, operations)] satisfies Replies)
}

interface Sent {
  readonly message: Answered
  readonly moved: ArrayBuffer[]
}

/** The replies that are there once all that is due has been done, such as the answers of all writes of one commit: they go as one message. */
class ReplyBox {
  readonly #port: MessagePort
  #done: number[] = []
  #replies: Reply[] = []
  #moved: ArrayBuffer[] = []
  #isDue = false

  constructor(port: MessagePort) {
    this.#port = port
  }

  written(id: number): void {
    this.#done.push(id)
    this.#ask()
  }

  add({ message, moved }: Sent): void {
    this.#replies.push(message)
    for (const memory of moved) this.#moved.push(memory)
    this.#ask()
  }

  #ask(): void {
    if (this.#isDue) return
    this.#isDue = true
    // Runs when no promise has anything left to do.
    process.nextTick(this.#post)
  }

  readonly #post = (): void => {
    const [done, replies, moved] = [this.#done, this.#replies, this.#moved]
    if (done.length > 0) replies.push({ kind: 'done', ids: done })
    this.#isDue = false
    this.#done = []
    this.#replies = []
    this.#moved = []
    this.#port.postMessage(replies satisfies Replies, moved)
  }
}

function failureOf(id: number, error: unknown): Sent {
  const packed = new Packer().pack(asError(error))
  return { message: { kind: 'answer', id, error: packed, small: undefined }, moved: [] }
}

/** The results' bytes are copied into the message, so that the store gets back at once what it has lent. */
function valueOf(id: number, value: unknown, { handouts }: Store): Sent {
  const packer = new Packer()
  const lent = lentIn(value)
  try {
    const packed = packer.pack(lent === undefined ? value : withoutLoan(value, lent))
    const message: Answered = { kind: 'answer', id, value: packed, small: packer.small() }
    return { message, moved: packer.moved }
  } finally {
    if (lent?.loan !== undefined) handouts.release(lent.loan)
  }
}

/** The lent results of an answer: the answer itself, or its `results`. Undefined where there are none. */
function lentIn(value: unknown): LentResults | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { loan, results } = value as LentResults & { readonly results?: LentResults | null }
  if (typeof loan === 'number') return value
  return typeof results?.loan === 'number' ? results : undefined
}

function withoutLoan(value: unknown, lent: LentResults): unknown {
  const own = { ...lent, loan: undefined }
  return lent === value ? own : { ...(value as object), results: own }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function described(store: Store, operations: readonly number[]): Described {
  const { kind: name, reach, carriesTags } = store
  const facets: Readonly<Record<string, object>> = facetsOf(store)
  const facts = Object.entries(FACTS).map(([facet, names]) => {
    const ofFacet = facets[facet] as Readonly<Record<string, unknown>>
    return [facet, Object.fromEntries(Object.keys(names).map((fact) => [fact, ofFacet[fact]]))] as const
  })
  return { kind: 'store', name, reach, carriesTags, facts: Object.fromEntries(facts), operations }
}

function facetsOf({ rows, handouts, catalog, upkeep }: Store): Readonly<Record<string, object>> {
  return { rows, handouts, catalog, ...upkeep }
}

/** The method, bound to its object; undefined for an operation that the store does not have. */
function methodOf(store: Store, operation: Asked['operation']): Method | undefined {
  if (typeof operation === 'string') return (store[operation] as Method).bind(store)
  const { facet, method } = ALL_OPERATIONS[operation]!
  const object = facetsOf(store)[facet] as Readonly<Record<string, Method | undefined>> | undefined
  return object?.[method]?.bind(object)
}

/** The signals of calls under way, by the numbers that the caller gives them. */
class Signals {
  readonly #open = new Map<number, { readonly controller: AbortController; used: number }>()

  use(id: number, aborted: boolean): AbortSignal {
    let open = this.#open.get(id)
    if (open === undefined) {
      open = { controller: new AbortController(), used: 0 }
      this.#open.set(id, open)
    }
    open.used++
    if (aborted) open.controller.abort()
    return open.controller.signal
  }

  leave(id: number): void {
    const open = this.#open.get(id)!
    if (--open.used === 0) this.#open.delete(id)
  }

  /** Does nothing for a signal whose calls have all been answered meanwhile. */
  abort(id: number): void {
    this.#open.get(id)?.controller.abort()
  }

  abortAll(): void {
    for (const { controller } of this.#open.values()) controller.abort()
  }
}

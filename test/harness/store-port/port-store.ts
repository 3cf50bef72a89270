import type { MessagePort } from 'node:worker_threads'
import type { Store } from '../../../src/store/store.ts'
import { pack, unpack } from './packed-values.ts'
import {
  ALL_OPERATIONS,
  type Asked,
  type Described,
  type Reply,
  type Request,
  STORE_METHODS,
} from './port-messages.ts'

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The store at the other end of the port: shows that nothing but messages crosses the seam. */
export function connectStore(port: MessagePort): Promise<Store> {
  const caller = new PortCaller(port)
  return new Promise((resolve) => {
    port.on('message', (reply: Reply) => {
      if (reply.kind === 'store') resolve(storeOf(reply, caller))
      else caller.settle(reply.id, reply.value, reply.error)
    })
  })
}

class PortCaller {
  readonly #port: MessagePort
  readonly #waiting = new Map<number, Waiting>()
  readonly #signals = new WeakMap<AbortSignal, number>()
  #last = 0

  constructor(port: MessagePort) {
    this.#port = port
  }

  ask(operation: Asked['operation'], args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#last
      this.#waiting.set(id, { resolve, reject })
      this.#send({ kind: 'ask', id, operation, args: pack(args, (signal) => this.#idOf(signal)) })
    })
  }

  settle(id: number, value: unknown, error: unknown): void {
    const waiting = this.#waiting.get(id)!
    this.#waiting.delete(id)
    if (error === undefined) waiting.resolve(unpack(value, refuseSignal))
    else waiting.reject(unpack(error, refuseSignal))
  }

  #idOf(signal: AbortSignal): number {
    const known = this.#signals.get(signal)
    if (known !== undefined) return known
    const id = ++this.#last
    this.#signals.set(signal, id)
    const abort = (): void => this.#send({ kind: 'abort', signal: id })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return id
  }

  #send(request: Request): void {
    this.#port.postMessage(request)
  }
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>

function storeOf({ name, hasSystemTables, operations }: Described, caller: PortCaller): Store {
  const facets: Record<string, Methods> = { rows: {}, handouts: {}, catalog: {} }
  for (const operation of operations) {
    const { facet, method } = ALL_OPERATIONS[operation]!
    const methods = (facets[facet] ??= {})
    methods[method] = (...args) => caller.ask(operation, args)
  }
  const own = STORE_METHODS.map(
    (method) => [method, (...args: unknown[]) => caller.ask(method, args)] as const,
  )
  const { rows, handouts, catalog, ...upkeep } = facets
  const store = {
    kind: name,
    rows,
    handouts,
    catalog: { ...catalog, hasSystemTables },
    upkeep,
    ...Object.fromEntries(own),
  }
  return store as unknown as Store
}

function refuseSignal(): never {
  throw new TypeError('a store hands out no signal')
}

import type { MessagePort } from 'node:worker_threads'
import type { Store } from '../../../src/store/store.ts'
import { pack, unpack } from './packed-values.ts'
import type { Described, DescribedObject, Reply, Request } from './port-messages.ts'

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

  ask(path: readonly string[], method: string, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#last
      this.#waiting.set(id, { resolve, reject })
      this.#send({ kind: 'ask', id, path, method, args: pack(args, (signal) => this.#idOf(signal)) })
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

function storeOf({ name, hasSystemTables, objects }: Described, caller: PortCaller): Store {
  const store: Record<string, unknown> = { kind: name }
  for (const described of [...objects].sort((a, b) => a.path.length - b.path.length)) {
    let object = store
    for (const part of described.path) object = (object[part] ??= {}) as Record<string, unknown>
    addMethods(object, described, caller)
  }
  Object.assign(store['catalog'] as object, { hasSystemTables })
  return store as unknown as Store
}

function addMethods(
  object: Record<string, unknown>,
  { path, methods }: DescribedObject,
  caller: PortCaller,
): void {
  for (const method of methods) {
    object[method] = (...args: unknown[]) => caller.ask(path, method, args)
  }
}

function refuseSignal(): never {
  throw new TypeError('a store hands out no signal')
}

import type { MessagePort } from 'node:worker_threads'
import type { Store } from '../../../src/store/store.ts'
import { pack, unpack } from './packed-values.ts'
import { ALL_OPERATIONS, type Asked, type Reply, type Request } from './port-messages.ts'

/** Answers the messages from the port with the store's methods, until the port is closed. */
export function serveStore(store: Store, port: MessagePort): void {
  const controllers = new Map<number, AbortController>()
  const controllerOf = (id: number): AbortController => {
    const controller = controllers.get(id) ?? new AbortController()
    controllers.set(id, controller)
    return controller
  }
  const send = (reply: Reply): void => port.postMessage(reply)
  const answer = async ({ id, operation, args }: Asked): Promise<void> => {
    try {
      const values = unpack(args, (signal) => controllerOf(signal).signal) as unknown[]
      const value: unknown = await methodOf(store, operation)!(...values)
      send({ kind: 'answer', id, value: pack(value, refuseSignal) })
    } catch (error) {
      send({ kind: 'answer', id, error: pack(error, refuseSignal) })
    }
  }
  port.on('message', (request: Request) => {
    if (request.kind === 'abort') controllerOf(request.signal).abort()
    else void answer(request)
  })
  const { kind: name, catalog } = store
  const operations = ALL_OPERATIONS.flatMap((_, place) =>
    methodOf(store, place) === undefined ? [] : [place],
  )
  send({ kind: 'store', name, hasSystemTables: catalog.hasSystemTables, operations })
}

type Method = (...args: unknown[]) => unknown

/** The method, bound to its object; undefined for an operation that the store does not have. */
function methodOf(store: Store, operation: Asked['operation']): Method | undefined {
  if (typeof operation === 'string') return (store[operation] as Method).bind(store)
  const { facet, method } = ALL_OPERATIONS[operation]!
  const { rows, handouts, catalog, upkeep } = store
  const object = { rows, handouts, catalog, ...upkeep }[facet] as
    | Record<string, Method | undefined>
    | undefined
  return object?.[method]?.bind(object)
}

function refuseSignal(): never {
  throw new TypeError('a store hands out no signal')
}

import type { MessagePort } from 'node:worker_threads'
import type { Store } from '../../../src/store/store.ts'
import { pack, unpack } from './packed-values.ts'
import type { Asked, DescribedObject, Reply, Request } from './port-messages.ts'

/** Answers the messages from the port with the store's methods, until the port is closed. */
export function serveStore(store: Store, port: MessagePort): void {
  const controllers = new Map<number, AbortController>()
  const controllerOf = (id: number): AbortController => {
    const controller = controllers.get(id) ?? new AbortController()
    controllers.set(id, controller)
    return controller
  }
  const send = (reply: Reply): void => port.postMessage(reply)
  const answer = async ({ id, path, method, args }: Asked): Promise<void> => {
    try {
      const object = objectAt(store, path)
      const values = unpack(args, (signal) => controllerOf(signal).signal) as unknown[]
      const value: unknown = await (object[method] as (...each: unknown[]) => unknown).apply(object, values)
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
  send({ kind: 'store', name, hasSystemTables: catalog.hasSystemTables, objects: [...described(store, [])] })
}

type Methods = Record<string, unknown>

function objectAt(store: Store, path: readonly string[]): Methods {
  let object = store as unknown as Methods
  for (const name of path) object = object[name] as Methods
  return object
}

/** The object's methods, and the methods of the objects in it: facets, and the parts of upkeep. */
function* described(object: object, path: readonly string[]): Iterable<DescribedObject> {
  const methods: string[] = []
  for (const name of namesOf(object)) {
    const value = (object as Methods)[name]
    if (typeof value === 'function') methods.push(name)
    else if (typeof value === 'object' && value !== null) yield* described(value, [...path, name])
  }
  yield { path, methods }
}

function namesOf(object: object): Set<string> {
  const names = new Set<string>()
  for (let of: object = object; of !== Object.prototype; of = Object.getPrototypeOf(of) as object) {
    for (const name of Object.getOwnPropertyNames(of)) if (name !== 'constructor') names.add(name)
  }
  return names
}

function refuseSignal(): never {
  throw new TypeError('a store hands out no signal')
}

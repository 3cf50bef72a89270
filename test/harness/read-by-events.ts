/**
 * A setup file of Vitest: the doors of this worker read their sockets by `data` events, as those of a Node without `onread` would. With it, tests of
 * what a client may send run on both ways in which bytes arrive.
 */

import { EventEmitter } from 'node:events'
import { Server } from 'node:net'

Object.assign(Server.prototype, {
  emit(this: Server, event: string, ...args: unknown[]): boolean {
    const handle = event === 'connection' && (args[0] as { readonly _handle?: object | null })._handle
    if (typeof handle === 'object' && handle !== null)
      Object.defineProperty(handle, 'useUserBuffer', { value: undefined })
    return EventEmitter.prototype.emit.apply(this, [event, ...args])
  },
})

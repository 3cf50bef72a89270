/**
 * A setup file of Vitest: each connection that a server of this worker accepts has moved, as one that the main thread hands to another does, before
 * the door gets it. It needs a Node that moves connections.
 */

import { EventEmitter } from 'node:events'
import { Server, Socket } from 'node:net'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'

const { port1, port2 } = new MessageChannel()
const MOVED = new WeakSet<object>()

Object.assign(Server.prototype, {
  emit(this: Server, event: string, ...args: unknown[]): boolean {
    // A socket that has been read does not move; those of other processes and threads stay.
    const isTcp = event === 'listening' && typeof this.address() === 'object'
    if (isTcp) Object.assign(this, { pauseOnConnect: true })
    const [accepted] = args
    const isNew = event === 'connection' && accepted instanceof Socket && isAcceptedBy(this, accepted)
    const given = isNew ? [moved(this, accepted)] : args
    return EventEmitter.prototype.emit.apply(this, [event, ...given])
  },
})

function isAcceptedBy(server: Server, socket: Socket): boolean {
  const { _server: owner } = socket as { _server?: unknown }
  // A connection that asked for another protocol comes twice.
  return (
    (server as { pauseOnConnect?: unknown }).pauseOnConnect === true && owner === server && !MOVED.has(socket)
  )
}

function moved(server: Server, accepted: Socket): Socket {
  Object.assign(accepted, { _server: null })
  port1.postMessage(accepted, [accepted as unknown as MessagePort])
  const { message } = receiveMessageOnPort(port2) as { message: Socket }
  // The server ends once all sockets that it has accepted are closed.
  Object.assign(message, { _server: server, server })
  MOVED.add(message)
  return message
}

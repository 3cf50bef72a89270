/**
 * Answers that wait behind others of their connection. Node gives a response its socket when its turn has come, and reports that
 * a response has closed only if it has a socket. Once the client is gone, code that waits for the end of a response without one would
 * wait for ever, and would keep the memory of the answer.
 */

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Requests of one connection that may wait for the answer to an earlier one. Those that came in one packet with the last of them wait, too. */
const WAITING_MAX = 64

export class PipelinedAnswers {
  readonly #ofSockets = new WeakMap<Socket, Set<ServerResponse>>()

  /** Closes the response with the connection if its turn never comes. */
  add(socket: Socket, response: ServerResponse): void {
    let waiting = this.#ofSockets.get(socket)
    if (waiting === undefined) {
      waiting = new Set()
      this.#ofSockets.set(socket, waiting)
      const all = waiting
      socket.once('close', () => closeUnsent(all))
    }
    const known = waiting
    known.add(response)
    if (known.size >= WAITING_MAX) pauseParser(socket)
    response.once('close', () => {
      known.delete(response)
      if (known.size < WAITING_MAX / 2) resumeParser(socket)
    })
  }
}

/** Node's own mark, which it does not document, for a connection whose parser shall rest. Node sets it for clients that do not read their answers. */
interface Parsed extends Socket {
  _paused?: boolean
}

function pauseParser(socket: Parsed): void {
  if (socket._paused !== false) return
  socket._paused = true
  socket.pause()
}

function resumeParser(socket: Parsed): void {
  // Node looks then whether its parser may go on.
  if (socket._paused === true) socket.emit('drain')
}

function closeUnsent(responses: ReadonlySet<ServerResponse>): void {
  for (const response of responses) {
    if (response.socket !== null) continue
    response.destroy()
    closed(response)
  }
}

/** Marks a response like Node does when its socket has closed: streams that write to it end at once. */
export function closed(response: ServerResponse): void {
  Object.assign(response, { _closed: true })
  response.emit('close')
}

/** True where the answer's headers end the connection. Node notes that in a field that it does not document. */
export function endsConnection(response: ServerResponse & { readonly _last?: boolean }): boolean {
  return response._last === true
}

/**
 * Calls `act` once the answers to earlier requests of a connection are written, at once where none is due. A client would take an
 * answer that overtook an earlier one for the answer to another request.
 */
export function afterAnswers(connection: Duplex, act: () => void): void {
  const { _httpMessage: underWay } = connection as { _httpMessage?: ServerResponse | null }
  if (underWay) underWay.once('close', () => afterAnswers(connection, act))
  else act()
}

/**
 * Ends the connection of an answer that cannot be sent, once the answers to earlier requests are written. ServerResponse.destroy
 * alone leaves the connection open, from Node 24 on, where the answer's turn has not come yet.
 */
export function breakOff(response: ServerResponse, error?: Error): void {
  const { socket } = response.req
  const isWaiting = response.socket === null
  response.destroy(error)
  if (isWaiting) inItsTurn(response, socket, () => socket.destroy(error))
}

function inItsTurn(response: ServerResponse, connection: Duplex, act: () => void): void {
  const { _httpMessage: underWay } = connection as { _httpMessage?: ServerResponse | null }
  if (underWay && underWay !== response) underWay.once('close', () => inItsTurn(response, connection, act))
  else act()
}

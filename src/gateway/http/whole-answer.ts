/**
 * Writes a small answer to its socket in one piece. Until Node 24, ServerResponse.end writes the body and the end of the answer as two pieces,
 * and takes as long for that as for the rest of a small answer. This sets the fields that `end` sets, and reports the end when `end` would: once
 * the socket has taken the bytes.
 */

import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** Fields of Node's ServerResponse, which says by them what it has sent. */
interface Sent {
  /** Head of the answer; null before it is made. */
  _header: string | null
  _headerSent: boolean
  finished: boolean
}

/** False on a Node whose ServerResponse has other fields, as of Node 24, which writes one piece itself: all answers then leave by `end`. */
const HAS_FIELDS: boolean = hasFields(new ServerResponse(new IncomingMessage(new Socket())))

/**
 * True where the answer was written; false where it must leave by the response's own methods. The head has all headers, and the connection
 * stays open behind it. `head` and `body` are Latin 1.
 */
export function sendWhole(outgoing: ServerResponse, status: number, head: string, body: string): boolean {
  if (!HAS_FIELDS || !mayBeWhole(outgoing)) return false
  const sent: Sent = outgoing as unknown as Sent
  outgoing.statusCode = status
  sent._header = head
  sent._headerSent = true
  sent.finished = true
  outgoing.socket!.write(head + body, 'latin1', (error) => {
    if (!error) outgoing.emit('finish')
  })
  return true
}

/** The client waits for this answer next, has no other in its socket, and can go on with another request after it. */
function mayBeWhole(outgoing: ServerResponse): boolean {
  const { req, socket } = outgoing
  if (socket === null || outgoing.headersSent || outgoing.destroyed) return false
  if (req.method === 'HEAD' || req.httpVersionMinor !== 1 || !outgoing.shouldKeepAlive) return false
  return (
    socket.writable && socket.writableLength === 0 && socket.writableCorked === 0 && !socket.readableEnded
  )
}

/** Whether the response is taken for sent where these fields say so. */
function hasFields(response: ServerResponse): boolean {
  const sent: Partial<Sent> = response
  if (sent._header !== null || sent._headerSent !== false || sent.finished !== false) return false
  sent._header = ''
  sent._headerSent = true
  sent.finished = true
  return response.writableFinished
}

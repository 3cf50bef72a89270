/** The client of a call that a sibling hands on. That process has checked the login, so that the one that answers trusts it. */

import type { Socket } from 'node:net'
import type { Call } from '../../store/call.ts'
import { ConnectionOrigin } from '../connections/connection-origin.ts'
import { SocketCall } from '../connections/socket-call.ts'
import type { ConnectionFront } from '../identity/tls/tls-front.ts'

type ClientOfCall = Pick<Call, 'principal' | 'address'>

const LENGTH_BYTES = 4

/** The first bytes of a connection to a sibling: the client, behind the length. */
export function greetingOf(call: Call): Buffer {
  const text = Buffer.from(writtenClient(call))
  const greeting = Buffer.alloc(LENGTH_BYTES + text.length)
  greeting.writeInt32BE(text.length)
  text.copy(greeting, LENGTH_BYTES)
  return greeting
}

/** The client as a line of ASCII, which fits a header of HTTP. */
export function writtenClient({ principal, address }: ClientOfCall): string {
  return Buffer.from(JSON.stringify({ principal, address })).toString('base64')
}

export function readClient(written: string): ClientOfCall {
  const { principal, address } = JSON.parse(Buffer.from(written, 'base64').toString()) as ClientOfCall
  return { principal, address }
}

/** The front of a door's private listener: its connections begin with a greeting. */
export const SIBLINGS_FRONT: ConnectionFront = {
  open: (socket, serve) => {
    const destroy = (): void => void socket.destroy()
    let begun: Buffer = Buffer.alloc(0)
    const receive = (): void => {
      const bytes = socket.read() as Buffer | null
      if (bytes === null) return
      begun = begun.length === 0 ? bytes : Buffer.concat([begun, bytes])
      const rest = greeted(socket, begun)
      if (rest === undefined) return
      socket.off('readable', receive)
      socket.off('end', destroy)
      socket.off('error', destroy)
      if (rest.length > 0) socket.unshift(rest)
      serve(socket)
    }
    socket.on('readable', receive)
    socket.on('end', destroy)
    socket.on('error', destroy)
  },
  close: () => undefined,
}

/** Reads the greeting. Undefined until it is complete; then the bytes behind it. */
function greeted(socket: Socket, begun: Buffer): Buffer | undefined {
  if (begun.length < LENGTH_BYTES) return undefined
  const end = LENGTH_BYTES + begun.readInt32BE(0)
  if (begun.length < end) return undefined
  const { principal, address } = readClient(begun.toString('latin1', LENGTH_BYTES, end))
  ConnectionOrigin.handedOn(socket, address)
  SocketCall.loggedIn(socket, principal)
  return begun.subarray(end)
}

/** Sockets to a cluster's servers, plain or over TLS. */

import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** The server's certificate must be for the host that is asked. */
export interface TlsTrust {
  /** Certificates of authorities, in PEM; undefined: those that Node knows. */
  readonly authorities?: string | undefined
}

export interface OpenedSocket {
  readonly socket: Socket
  /** The event after which it can be written to. */
  readonly ready: 'connect' | 'secureConnect'
}

export function openSocket(options: TcpNetConnectOpts, tls: TlsTrust | undefined): OpenedSocket {
  if (tls === undefined) return { socket: connect(options), ready: 'connect' }
  const { host, port } = options
  const { authorities: ca } = tls
  const socket = connectTls({
    host: host ?? 'localhost',
    port,
    minVersion: 'TLSv1.2',
    ...(ca !== undefined && { ca }),
  })
  socket.setNoDelay(true)
  return { socket, ready: 'secureConnect' }
}

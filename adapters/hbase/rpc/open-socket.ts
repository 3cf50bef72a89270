/** Sockets to a cluster's servers, plain or over TLS. */

import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import {
  checkServerIdentity,
  connect as connectTls,
  type PeerCertificate,
  type SecureVersion,
  type TLSSocket,
} from 'node:tls'
import type { ClientIdentity } from '../../../src/model/client-identity.ts'

/** The names of which a server's certificate must have one. */
export type HostCheck =
  /** The host that the client connects to. */
  | 'name'
  /** That host, or the address behind it. HBase: HBaseTrustManager. */
  | 'name-or-address'
  /** Any name will do. */
  | 'none'

/** The trust in a server's certificate, and the terms of its connection. A new connection reads each field anew. */
export interface TlsTrust {
  /** The certificates of trusted authorities, in PEM; undefined: those that Node knows. */
  readonly authorities?: string | undefined
  readonly identity?: ClientIdentity | undefined
  /** Undefined: `name`. */
  readonly hostCheck?: HostCheck | undefined
  /** Milliseconds for the handshake; undefined: the time to connect bounds it alone. */
  readonly handshakeTimeoutMs?: number | undefined
  /** Undefined: TLS 1.2. */
  readonly minVersion?: SecureVersion | undefined
  /** Undefined: the newest that Node has. */
  readonly maxVersion?: SecureVersion | undefined
  /** Cipher suites as OpenSSL takes them; undefined: Node's. */
  readonly ciphers?: string | undefined
  /** True: the settings are keys of hbase-site.xml, so that advice names those. Otherwise flags of a command. */
  readonly isOfCluster?: boolean | undefined
}

export interface OpenedSocket {
  readonly socket: Socket
  /** The event after which the socket accepts writes. */
  readonly ready: 'connect' | 'secureConnect'
}

export function openSocket(options: TcpNetConnectOpts, tls: TlsTrust | undefined): OpenedSocket {
  if (tls === undefined) return { socket: connect(options), ready: 'connect' }
  const { host = 'localhost', port } = options
  const { authorities: ca, identity, hostCheck = 'name', minVersion = 'TLSv1.2', maxVersion, ciphers } = tls
  const socket: TLSSocket = connectTls({
    host,
    port,
    minVersion,
    ...(maxVersion !== undefined && { maxVersion }),
    ...(ciphers !== undefined && { ciphers }),
    ...(ca !== undefined && { ca }),
    ...(identity !== undefined && { cert: identity.certificate, key: identity.key }),
    ...(hostCheck !== 'name' && {
      checkServerIdentity: (name: string, certificate: PeerCertificate) =>
        hostCheck === 'none' ? undefined : wrongName(name, socket.remoteAddress, certificate),
    }),
  })
  socket.setNoDelay(true)
  if (tls.handshakeTimeoutMs !== undefined) boundHandshake(socket, tls.handshakeTimeoutMs)
  return { socket, ready: 'secureConnect' }
}

/** Undefined where the certificate names the host or its address. */
function wrongName(
  name: string,
  address: string | undefined,
  certificate: PeerCertificate,
): Error | undefined {
  const error = checkServerIdentity(name, certificate)
  if (error === undefined || address === undefined) return error
  return checkServerIdentity(address, certificate) === undefined ? undefined : error
}

function boundHandshake(socket: TLSSocket, timeoutMs: number): void {
  socket.once('connect', () => {
    const timer = setTimeout(() => {
      socket.destroy(
        new Error(
          `no end of the TLS handshake within ${timeoutMs} ms (hbase.client.netty.tls.handshaketimeout)`,
        ),
      )
    }, timeoutMs)
    const stop = (): void => clearTimeout(timer)
    socket.once('secureConnect', stop)
    socket.once('close', stop)
  })
}

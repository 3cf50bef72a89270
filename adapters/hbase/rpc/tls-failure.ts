/** The causes of failures of TLS, with advice for the operator. */

import { identityRefusal, isIdentityRefused } from '../../../src/model/client-identity.ts'
import type { TlsTrust } from './open-socket.ts'

const UNKNOWN_AUTHORITY: ReadonlySet<string | undefined> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const WRONG_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID'
const UNFIT_CERTIFICATE: ReadonlySet<string | undefined> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  WRONG_NAME,
])
/** OpenSSL reads the first bytes of a plain answer as the version or the length of a TLS record. */
const PLAIN_ANSWER: ReadonlySet<string | undefined> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
])
/** Node's message for a server that closes the connection during the handshake. */
const ENDED_HANDSHAKE = 'Client network socket disconnected before secure TLS connection was established'
/** The sides have no version of TLS or no cipher suite in common. */
const NO_COMMON_TERMS = /ALERT_(?:PROTOCOL_VERSION|INSUFFICIENT_SECURITY)|UNSUPPORTED_PROTOCOL|NO_CIPHERS/

/** True where one side does not accept the other's certificate: another attempt would fail as well. */
export function isUntrusted(error: NodeJS.ErrnoException): boolean {
  return UNKNOWN_AUTHORITY.has(error.code) || UNFIT_CERTIFICATE.has(error.code) || isIdentityRefused(error)
}

/** Node's message for a socket's failure, with advice where TLS is the cause. */
export function socketFailureText(error: NodeJS.ErrnoException, tls?: TlsTrust): string {
  const refusal = identityRefusal(error, tls?.identity, tls?.isOfCluster)
  if (refusal !== undefined) return refusal
  return tls?.isOfCluster === true ? clusterFailureText(error) : serverFailureText(error)
}

/** Of a server of Tidegate, which a command asks: its flags are the remedy. */
function serverFailureText({ message, code }: NodeJS.ErrnoException): string {
  if (UNKNOWN_AUTHORITY.has(code))
    return `${message}: trust the certificate of the server's authority (tidegate: --tls-ca FILE)`
  if (code === WRONG_NAME)
    return `${message} Servers announce the name at which clients connect: it must be in the certificate (Tidegate: serve --advertise HOST)`
  return message
}

/** Of a cluster: keys of hbase-site.xml are the remedy. */
function clusterFailureText({ message, code }: NodeJS.ErrnoException): string {
  if (UNKNOWN_AUTHORITY.has(code))
    return `${message}: the server's certificate is of none of the authorities in hbase.rpc.tls.truststore.location; add its authority to that file`
  if (code === WRONG_NAME)
    return `${message} The server's certificate must name its host; hbase.client.netty.tls.verify.server.hostname=false ends this check`
  if (PLAIN_ANSWER.has(code))
    return 'the server answers without TLS: set hbase.server.netty.tls.enabled on the cluster, or hbase.client.netty.tls.enabled to false here'
  if (NO_COMMON_TERMS.test(code ?? ''))
    return 'the server takes none of the offered versions and ciphers of TLS: compare hbase.rpc.tls.enabledProtocols and hbase.rpc.tls.ciphersuites of both sides'
  if (message === ENDED_HANDSHAKE) return 'the server ended the TLS handshake: its log has the reason'
  return message
}

/**
 * The probable cause where a server closes a connection before its first answer. With TLS 1.3 the client's handshake ends before the server
 * has checked the client's certificate.
 */
export function silentCloseHint(tls: TlsTrust | undefined): string {
  if (tls === undefined)
    return ' without an answer: it may want TLS (of a cluster: hbase.client.netty.tls.enabled; of commands: --tls-ca FILE)'
  return tls.identity === undefined
    ? ''
    : " without an answer: it may not take the client's certificate; its log has the reason"
}

/** The certificate that this side of a connection over TLS shows to servers that ask for one. */
export interface ClientIdentity {
  /** PEM, with its chain behind it. */
  readonly certificate: string
  /** PEM, without a passphrase. */
  readonly key: string
}

/** Alerts by which a server says that it refuses the client's certificate, or misses one. A server of TLS 1.2 that misses one fails the handshake. */
const REFUSED =
  /ALERT_(?:CERTIFICATE_(?:REQUIRED|EXPIRED|REVOKED|UNKNOWN)|(?:BAD|UNSUPPORTED)_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)/

/** Another attempt would show the same certificate, or none again. */
export function isIdentityRefused({ code }: NodeJS.ErrnoException): boolean {
  return REFUSED.test(code ?? '')
}

/**
 * Undefined where isIdentityRefused is false. Node's own message has lines of OpenSSL. `isOfCluster`: the remedy is a key of hbase-site.xml, not
 * a flag.
 */
export function identityRefusal(
  error: NodeJS.ErrnoException,
  identity: ClientIdentity | undefined,
  isOfCluster = false,
): string | undefined {
  if (!isIdentityRefused(error)) return undefined
  const alert = error
    .code!.replace(/^.*_ALERT_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
  if (identity !== undefined)
    return `TLS alert "${alert}": the server does not take the client's certificate; its log has the reason`
  const remedy = isOfCluster
    ? 'hbase.rpc.tls.keystore.location'
    : 'tidegate: --tls-certificate FILE --tls-key FILE'
  return `TLS alert "${alert}": the server takes clients with a certificate alone (${remedy})`
}

export interface CertificateFiles {
  /** Paths of PEM files: the certificate with its chain, and its key without a passphrase. */
  readonly certificate: string
  readonly key: string
}

export interface TlsSettings {
  /** At least one. A client that names its server (SNI) gets the first that is for that name, any other the first. */
  readonly pairs: readonly CertificateFiles[]
  /** Paths of PEM files with the authorities of clients' certificates; none: no client is asked for one. */
  readonly clientAuthorities: readonly string[]
  /** Paths of PEM files with what these authorities have revoked (CRL); none: nothing counts as revoked. */
  readonly clientRevocations: readonly string[]
  /** A client without a certificate of these authorities may come in. One with a certificate of others may never. */
  readonly areClientCertificatesOptional: boolean
  /** Doors that take connections without TLS, too. */
  readonly plainToo: ReadonlySet<string>
}

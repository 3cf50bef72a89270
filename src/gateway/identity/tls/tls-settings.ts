export interface CertificateFiles {
  /** Path of a PEM file with the certificate and its chain. */
  readonly certificate: string
  /** Path of a PEM file with the key, without a passphrase. */
  readonly key: string
}

export interface TlsSettings {
  /** At least one. A client that names its server (SNI) gets the first pair for that name; other clients get the first pair. */
  readonly pairs: readonly CertificateFiles[]
  /** Paths of PEM files with the authorities of clients' certificates; empty: clients are not asked for certificates. */
  readonly clientAuthorities: readonly string[]
  /** Paths of PEM files with revocation lists (CRL) of these authorities; empty: no certificate is revoked. */
  readonly clientRevocations: readonly string[]
  /** True where clients without a certificate are accepted. A certificate of another authority is always refused. */
  readonly areClientCertificatesOptional: boolean
  /**
   * A secret of the threads that serve the same ports: each takes up the TLS sessions that another has begun. It is random for each start. Undefined:
   * one thread serves.
   */
  readonly ticketSecret?: Uint8Array | undefined
  /** Names of doors that also take connections without TLS. */
  readonly plainToo: ReadonlySet<string>
}

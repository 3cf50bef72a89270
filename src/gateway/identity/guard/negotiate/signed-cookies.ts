/** How a login by Kerberos becomes a cookie. HBase: hbase.rest.authentication.signature.secret.file and its neighbours. */
export interface SignedCookies {
  /** The key of the signature. Processes and threads that serve the same ports have the same. */
  readonly secret: Buffer
  /** Milliseconds after which a client negotiates anew. HBase: hbase.rest.authentication.token.validity, in seconds. */
  readonly validityMs: number
  /** The attribute Domain; undefined: the cookie is for the server's host alone. HBase: hbase.rest.authentication.cookie.domain. */
  readonly domain?: string | undefined
  /** The attribute Path. HBase: hbase.rest.authentication.cookie.path. */
  readonly path: string
}

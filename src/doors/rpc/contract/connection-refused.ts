export const ACCESS_DENIED_CLASS = 'org.apache.hadoop.hbase.security.AccessDeniedException'

/** The connection must end. The client is sent the reason, by the class of HBase's exception. */
export class ConnectionRefused extends Error {
  /** Includes the client's protocol, where it is known: the log counts clients of different protocols separately. */
  override readonly name: string
  /** The exception's class with its package, or without for HBase's package ipc. */
  readonly javaClass: string

  constructor(javaClass: string, message: string, kind = '') {
    super(message)
    this.name = `ConnectionRefused ${kind}`.trimEnd()
    this.javaClass = javaClass
  }
}

/** Failures of a call between here and the server. An answer of the server itself is a RemoteException. */
export type RpcErrorCode =
  /** The server could not be reached. */
  | 'CONNECT_FAILED'
  /** The connection ended, or was closed here, before the answer came. */
  | 'CONNECTION_CLOSED'
  /** The server ended the connection and had answered nothing; for impatient callers only. */
  | 'NO_WORD'
  /** The server shows a certificate that is not trusted here, or not for its name. */
  | 'UNTRUSTED'
  /** The server does not let the client's user in. */
  | 'USER_REFUSED'
  /** No answer in the time that the call had. */
  | 'CALL_TIMEOUT'
  /** The caller gave up. */
  | 'CALL_CANCELLED'
  /** Too many calls or bytes wait for this server already. */
  | 'OVERLOADED'
  /** The request is larger than the server takes. */
  | 'REQUEST_TOO_LARGE'
  /** The answer is larger than the limit, or malformed. */
  | 'BAD_RESPONSE'

export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: RpcErrorCode
  /** True where the server may have carried the call out: some of its bytes went to the socket. */
  readonly sent: boolean

  constructor(
    code: RpcErrorCode,
    message: string,
    options: { readonly sent?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.sent = options.sent ?? false
  }
}

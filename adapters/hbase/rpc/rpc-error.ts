/** Failures of a call on the way between this process and the server. A failure that the server itself reports is a RemoteException. */
export type RpcErrorCode =
  /** The server could not be reached. */
  | 'CONNECT_FAILED'
  /** The connection ended, or this process closed it, before the answer came. */
  | 'CONNECTION_CLOSED'
  /** The server ended the connection before its first answer; only for impatient callers. */
  | 'NO_WORD'
  /** The server's certificate is not trusted, or not for its name. */
  | 'UNTRUSTED'
  /** The login at the server failed; a later one may succeed. */
  | 'LOGIN_FAILED'
  /** The login at the server failed, and every other will until an operator changes a setting or the cluster. */
  | 'LOGIN_REFUSED'
  /** The server refuses the client's user. */
  | 'USER_REFUSED'
  /** No answer came in time. */
  | 'CALL_TIMEOUT'
  /** The caller has hung up. */
  | 'CALL_CANCELLED'
  /** Too many calls or bytes already wait for this server. */
  | 'OVERLOADED'
  /** The request is larger than the limit. */
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

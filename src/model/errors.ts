/**
 * All errors that a store may throw; it throws nothing else. Each door has a total map from the codes to its protocol's
 * form, so that a new code does not compile before every door answers it.
 *
 * Codes are stable, messages are not. Anything thrown that is not an HBaseError is a bug in Tidegate.
 */

import { ANSWERED_CHARACTERS_MAX, boundedFields, boundedText } from './bounded-text.ts'

export interface ErrorTraits {
  /** The exception class that HBase's clients know the code by, where the error names none of its own. */
  readonly javaClass: string
  /** Whether the same request may succeed later. False for HBase's DoNotRetryIOException and its kin. */
  readonly mayRetry: boolean
  /** The side at fault: the client, whose request was refused, or Tidegate or its store, which failed. */
  readonly fault: 'client' | 'server'
}

export type ErrorCode =
  | 'TABLE_NOT_FOUND'
  | 'TABLE_EXISTS'
  | 'TABLE_NOT_ENABLED'
  | 'TABLE_NOT_DISABLED'
  | 'NAMESPACE_NOT_FOUND'
  | 'NAMESPACE_EXISTS'
  | 'NO_SUCH_COLUMN_FAMILY'
  | 'INVALID_FAMILY_OPERATION'
  | 'DO_NOT_RETRY'
  | 'CONSTRAINT'
  | 'FAILED_SANITY_CHECK'
  | 'ILLEGAL_ARGUMENT'
  | 'UNKNOWN_SCANNER'
  | 'ACCESS_DENIED'
  | 'READ_ONLY'
  | 'UNSUPPORTED'
  | 'TOO_LARGE'
  | 'THROTTLED'
  | 'OVERLOADED'
  | 'CALLER_GONE'
  | 'NOT_SERVING_REGION'
  | 'REGION_TOO_BUSY'
  | 'UNAVAILABLE'
  | 'TIMEOUT'
  | 'CORRUPTION'
  | 'IO'
  | 'REFUSED'

export const ERROR_TRAITS: Readonly<Record<ErrorCode, ErrorTraits>> = {
  TABLE_NOT_FOUND: refused('org.apache.hadoop.hbase.TableNotFoundException'),
  TABLE_EXISTS: refused('org.apache.hadoop.hbase.TableExistsException'),
  TABLE_NOT_ENABLED: refused('org.apache.hadoop.hbase.TableNotEnabledException'),
  TABLE_NOT_DISABLED: refused('org.apache.hadoop.hbase.TableNotDisabledException'),
  NAMESPACE_NOT_FOUND: refused('org.apache.hadoop.hbase.NamespaceNotFoundException'),
  NAMESPACE_EXISTS: refused('org.apache.hadoop.hbase.NamespaceExistException'),
  NO_SUCH_COLUMN_FAMILY: refused('org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException'),
  INVALID_FAMILY_OPERATION: refused('org.apache.hadoop.hbase.InvalidFamilyOperationException'),
  /** A request that can never succeed. */
  DO_NOT_RETRY: refused('org.apache.hadoop.hbase.DoNotRetryIOException'),
  /** The constraints on namespaces, such as removing one that still has tables. */
  CONSTRAINT: refused('org.apache.hadoop.hbase.constraint.ConstraintException'),
  FAILED_SANITY_CHECK: refused('org.apache.hadoop.hbase.exceptions.FailedSanityCheckException'),
  ILLEGAL_ARGUMENT: refused('java.lang.IllegalArgumentException'),
  UNKNOWN_SCANNER: refused('org.apache.hadoop.hbase.UnknownScannerException'),
  /** The principal may not do this. */
  ACCESS_DENIED: refused('org.apache.hadoop.hbase.security.AccessDeniedException'),
  /** The server takes no changes. */
  READ_ONLY: refused('org.apache.hadoop.hbase.DoNotRetryIOException'),
  /** The store has no such thing, and never will. */
  UNSUPPORTED: refused('java.lang.UnsupportedOperationException'),
  /** A batch, cell or answer above a configured limit. */
  TOO_LARGE: refused('org.apache.hadoop.hbase.DoNotRetryIOException'),
  /** The client has used up its quota; it should come again after a while. */
  THROTTLED: { ...refused('org.apache.hadoop.hbase.quotas.RpcThrottlingException'), mayRetry: true },
  /** The server has no memory or no place for the request now; it should come again after a while. */
  OVERLOADED: failed('org.apache.hadoop.hbase.CallQueueTooBigException'),
  /** The client hung up before there was an answer. */
  CALLER_GONE: { ...refused('org.apache.hadoop.hbase.ipc.CallerDisconnectedException'), mayRetry: true },
  NOT_SERVING_REGION: failed('org.apache.hadoop.hbase.NotServingRegionException'),
  /** The store takes no more writes for the moment; a client should back off and try again. */
  REGION_TOO_BUSY: failed('org.apache.hadoop.hbase.RegionTooBusyException'),
  /** The store is closing or has failed; another server may answer. */
  UNAVAILABLE: failed('org.apache.hadoop.hbase.regionserver.RegionServerStoppedException'),
  /** No answer came in time. */
  TIMEOUT: failed('org.apache.hadoop.hbase.exceptions.TimeoutIOException'),
  CORRUPTION: { ...failed('org.apache.hadoop.hbase.io.hfile.CorruptHFileException'), mayRetry: false },
  IO: failed('java.io.IOException'),
  /** A request that can never succeed, and that HBase refuses with a plain IOException: its clients try again. */
  REFUSED: { ...refused('java.io.IOException'), mayRetry: true },
}

function refused(javaClass: string): ErrorTraits {
  return { javaClass, mayRetry: false, fault: 'client' }
}

function failed(javaClass: string): ErrorTraits {
  return { javaClass, mayRetry: true, fault: 'server' }
}

export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERROR_TRAITS) as ErrorCode[]

/** Evidence for a person or a log: names, offsets, expected and found values. */
export type ErrorDetail = Readonly<Record<string, string | number | bigint | boolean>>

export interface ErrorOptions {
  readonly detail?: ErrorDetail | undefined
  readonly cause?: unknown
  /** The class that clients are to see, where it is another than the code's. */
  readonly javaClass?: string | undefined
}

export class HBaseError extends Error {
  override readonly name = 'HBaseError'
  readonly code: ErrorCode
  /** The exception class that HBase's clients receive. */
  readonly javaClass: string
  readonly detail: ErrorDetail | undefined

  /** Keeps only the begin and the end of a very long message: names in it may be a client's. */
  constructor(code: ErrorCode, message: string, { detail, cause, javaClass }: ErrorOptions = {}) {
    super(boundedText(message, ANSWERED_CHARACTERS_MAX), cause === undefined ? undefined : { cause })
    this.code = code
    this.javaClass = javaClass ?? ERROR_TRAITS[code].javaClass
    this.detail = detail && boundedFields(detail)
  }

  get mayRetry(): boolean {
    return ERROR_TRAITS[this.code].mayRetry
  }
}

export function isHBaseError(error: unknown): error is HBaseError {
  return error instanceof HBaseError
}

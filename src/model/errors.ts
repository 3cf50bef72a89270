/**
 * What can go wrong, once for the whole house. A store throws these and nothing else; each door has a total map from
 * the codes to its protocol's form, so that a new code does not compile before every door answers it.
 *
 * Codes are stable, messages are not. Anything thrown that is not an HBaseError is a bug in Tidegate.
 */

/** Each code with the exception class that HBase's clients know it by. */
export const javaClassOf = {
  TABLE_NOT_FOUND: 'org.apache.hadoop.hbase.TableNotFoundException',
  TABLE_EXISTS: 'org.apache.hadoop.hbase.TableExistsException',
  TABLE_NOT_ENABLED: 'org.apache.hadoop.hbase.TableNotEnabledException',
  TABLE_NOT_DISABLED: 'org.apache.hadoop.hbase.TableNotDisabledException',
  NAMESPACE_NOT_FOUND: 'org.apache.hadoop.hbase.NamespaceNotFoundException',
  NAMESPACE_EXISTS: 'org.apache.hadoop.hbase.NamespaceExistException',
  NO_SUCH_COLUMN_FAMILY: 'org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException',
  INVALID_FAMILY_OPERATION: 'org.apache.hadoop.hbase.InvalidFamilyOperationException',
  /** A request that can never succeed. */
  DO_NOT_RETRY: 'org.apache.hadoop.hbase.DoNotRetryIOException',
  /** The constraints on namespaces, such as removing one that still has tables. */
  CONSTRAINT: 'org.apache.hadoop.hbase.constraint.ConstraintException',
  FAILED_SANITY_CHECK: 'org.apache.hadoop.hbase.exceptions.FailedSanityCheckException',
  ILLEGAL_ARGUMENT: 'java.lang.IllegalArgumentException',
  UNKNOWN_SCANNER: 'org.apache.hadoop.hbase.UnknownScannerException',
  NOT_SERVING_REGION: 'org.apache.hadoop.hbase.NotServingRegionException',
  /** The store takes no more writes for the moment; a client should back off and try again. */
  REGION_TOO_BUSY: 'org.apache.hadoop.hbase.RegionTooBusyException',
  /** A batch, cell or answer above a configured limit. */
  TOO_LARGE: 'org.apache.hadoop.hbase.DoNotRetryIOException',
  /** The store is closing or has failed; another server may answer. */
  UNAVAILABLE: 'org.apache.hadoop.hbase.regionserver.RegionServerStoppedException',
  TIMEOUT: 'org.apache.hadoop.hbase.CallQueueTooBigException',
  CORRUPTION: 'org.apache.hadoop.hbase.io.hfile.CorruptHFileException',
  IO: 'java.io.IOException',
} as const

export type ErrorCode = keyof typeof javaClassOf

/** Evidence for a person or a log: names, offsets, expected and found values. */
export type ErrorDetail = Readonly<Record<string, string | number | bigint | boolean>>

export class HBaseError extends Error {
  override readonly name = 'HBaseError'
  readonly code: ErrorCode
  readonly detail: ErrorDetail | undefined

  constructor(code: ErrorCode, message: string, options: { detail?: ErrorDetail; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.detail = options.detail
  }

  get javaClass(): string {
    return javaClassOf[this.code]
  }
}

export function isHBaseError(error: unknown): error is HBaseError {
  return error instanceof HBaseError
}

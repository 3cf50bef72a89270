import { type ErrorCode, HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { ClientRelease } from '../contract/client-release.ts'

/** Failures after which HBase closes the scanner: IOExceptions that are no DoNotRetryIOException. */
const BREAKS_SCANNER: ReadonlySet<ErrorCode> = new Set(['IO', 'REFUSED', 'TIMEOUT'])

/** True where the failure makes the scanner useless: it may have read rows that the client has not received. */
export function breaksScanner(error: unknown): boolean {
  return isHBaseError(error) && BREAKS_SCANNER.has(error.code)
}

/** The exception that makes the client open another scanner behind its last row. It is one that the client's release knows. HBase: RSRpcServices.scan. */
export function scannerReset(cause: unknown, { knowsScannerReset }: ClientRelease): HBaseError {
  if (knowsScannerReset)
    return new HBaseError('DO_NOT_RETRY', 'Scanner is closed on the server-side', {
      cause,
      javaClass: 'org.apache.hadoop.hbase.exceptions.ScannerResetException',
    })
  const message =
    'Throwing UnknownScannerException to reset the client scanner state for clients older than 1.3.'
  return new HBaseError('UNKNOWN_SCANNER', message, { cause })
}

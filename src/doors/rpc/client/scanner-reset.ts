import { type ErrorCode, HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { ClientRelease } from '../contract/client-release.ts'

/** Failures of a scan within a region after which HBase closes the scanner: an IOException that is no DoNotRetryIOException. */
const BREAKS_SCANNER: ReadonlySet<ErrorCode> = new Set(['IO', 'REFUSED', 'TIMEOUT'])

/** True where the scanner is of no more use: rows may have been read that the client has not received. */
export function breaksScanner(error: unknown): boolean {
  return isHBaseError(error) && BREAKS_SCANNER.has(error.code)
}

/** The client opens another scanner behind the last row that it has, by an exception that its release knows. HBase: RSRpcServices.scan. */
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

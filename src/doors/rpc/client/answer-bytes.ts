import type { ScanLimits } from '../../../store/handouts.ts'

/** The limit that a client sends where its program sets none. HBase: HConstants.DEFAULT_HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE. */
const USUAL_RESULT_BYTES = 2 * 1024 * 1024
/**
 * Bytes that HBase counts for a cell beside its KeyValue and the four bytes of length before that: 32 for the Java object, less these four.
 * HBase: KeyValue.heapSize, by ScannerContext.incrementSizeProgress.
 */
const OBJECT_BYTES = 28

/**
 * The limit of an answer's bytes. `resultBytesMax`: limit of the scan, 0 for none; `bytesMax`: limit of the server. Where a program has chosen a
 * small limit, cells count as HBase counts them. A larger limit only keeps answers from being huge: cells then count their own bytes, and more of
 * them fit into an answer.
 */
export function bytesOfAnswer(
  resultBytesMax: number,
  bytesMax: number,
): Pick<ScanLimits, 'bytes' | 'cellBytes'> {
  if (resultBytesMax <= 0) return { bytes: bytesMax, cellBytes: undefined }
  const cellBytes = resultBytesMax < USUAL_RESULT_BYTES ? OBJECT_BYTES : undefined
  return { bytes: Math.min(resultBytesMax, bytesMax), cellBytes }
}

import type { ScanLimits } from '../../../store/handouts.ts'

/** The size that a client sends when its program sets none. HBase: HConstants.DEFAULT_HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE. */
const USUAL_RESULT_BYTES = 2 * 1024 * 1024
/**
 * A cell in memory counts as its KeyValue and the object around it, of 32 bytes: 28 more than its KeyValue and the length before it.
 * HBase: KeyValue.heapSize, by ScannerContext.incrementSizeProgress.
 */
const OBJECT_BYTES = 28

/**
 * The limit of an answer's bytes. `resultBytesMax`: of the scan, 0 for none; `bytesMax`: of the server. Cells count as HBase counts them where a program has
 * chosen a small size; larger ones only keep answers from being huge, so that cells count their own bytes, and answers take more of them.
 */
export function bytesOfAnswer(
  resultBytesMax: number,
  bytesMax: number,
): Pick<ScanLimits, 'bytes' | 'cellBytes'> {
  if (resultBytesMax <= 0) return { bytes: bytesMax, cellBytes: undefined }
  const cellBytes = resultBytesMax < USUAL_RESULT_BYTES ? OBJECT_BYTES : undefined
  return { bytes: Math.min(resultBytesMax, bytesMax), cellBytes }
}

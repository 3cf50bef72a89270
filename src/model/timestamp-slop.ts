import { toStringBinary } from './bytes.ts'
import type { TableDescriptor } from './descriptor.ts'
import { HBaseError } from './errors.ts'

/** HBase's key of the setting, which a table may have among its attributes. */
const TIMESTAMP_SLOP_KEY = 'hbase.hregion.keyvalue.timestamp.slop.millisecs'

/** A greater slop lets every timestamp through. */
const SLOP_MAX: number = Number.MAX_SAFE_INTEGER / 2

/** Milliseconds after now that a put to the table may be dated at most; Infinity: any time. `otherwise`: where the table states none. */
export function timestampSlopMs(table: TableDescriptor, otherwise: number): number {
  const stated = table.attributes.get(TIMESTAMP_SLOP_KEY)?.trim() ?? ''
  const slop = /^\d{1,19}$/.test(stated) ? Number(stated) : otherwise
  return slop > SLOP_MAX ? Number.POSITIVE_INFINITY : slop
}

/** The error for a put that is dated too far after now. HBase: HRegion.checkTimestamps. */
export function timestampTooNew(
  cell: {
    readonly row: Buffer
    readonly family: Buffer
    readonly qualifier: Buffer
    readonly timestamp: bigint
    readonly value: Buffer
  },
  slopMs: number,
): HBaseError {
  const [row, family, qualifier] = [cell.row, cell.family, cell.qualifier].map(toStringBinary)
  const text = `${row}/${family}:${qualifier}/${cell.timestamp}/Put/vlen=${cell.value.length}/seqid=0`
  return new HBaseError('FAILED_SANITY_CHECK', `Timestamp for KV out of range ${text} (too.new=${slopMs})`)
}

import { Field } from '../../../wire/rpc/field.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import { readRegionSpecifier } from '../regions/read-region.ts'
import type { RegionSpecifier } from '../regions/region-specifier.ts'
import { readScan, type ScanMessage } from './read-query.ts'

/** One call of a scan. Without `scannerId` it opens a scanner. */
export interface ScanCall {
  readonly region: RegionSpecifier | undefined
  readonly scan: ScanMessage | undefined
  readonly scannerId: bigint | undefined
  readonly rows: number | undefined
  readonly closes: boolean
  readonly sequence: bigint | undefined
  readonly handlesPartials: boolean
  readonly handlesHeartbeats: boolean
  readonly tracksMetrics: boolean
  readonly renews: boolean
  /** Most rows of the whole scan; 0 for no limit. */
  readonly limitOfRows: number
}

export function readScanRequest(reader: MessageReader, takesTags = false): ScanCall {
  const field = Field.ScanRequest
  const asked = {
    region: undefined as RegionSpecifier | undefined,
    scan: undefined as ScanMessage | undefined,
    scannerId: undefined as bigint | undefined,
    rows: undefined as number | undefined,
    closes: false,
    sequence: undefined as bigint | undefined,
    handlesPartials: false,
    handlesHeartbeats: false,
    tracksMetrics: false,
    renews: false,
    limitOfRows: 0,
  }
  let scan: MessageReader | undefined
  while (reader.next()) {
    if (reader.field === field.region) asked.region = readRegionSpecifier(reader.message())
    else if (reader.field === field.scan) scan = reader.message()
    else if (reader.field === field.scannerId) asked.scannerId = reader.uint64()
    else if (reader.field === field.numberOfRows) asked.rows = reader.uint32()
    else if (reader.field === field.closeScanner) asked.closes = reader.bool()
    else if (reader.field === field.nextCallSeq) asked.sequence = reader.uint64()
    else if (reader.field === field.clientHandlesPartials) asked.handlesPartials = reader.bool()
    else if (reader.field === field.clientHandlesHeartbeats) asked.handlesHeartbeats = reader.bool()
    else if (reader.field === field.trackScanMetrics) asked.tracksMetrics = reader.bool()
    else if (reader.field === field.renew) asked.renews = reader.bool()
    else if (reader.field === field.limitOfRows) asked.limitOfRows = reader.uint32()
    else reader.skip()
  }
  if (scan !== undefined) asked.scan = readScan(scan, takesTags, asked.rows)
  return asked
}

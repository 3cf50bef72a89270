/** HBase's errors for requests that name a missing region or scanner. */

import { abbreviated, compareBytes } from '../model/bytes.ts'
import { HBaseError } from '../model/errors.ts'
import type { RowPart } from '../model/mutation.ts'
import type { RegionLocation } from './catalog.ts'
import type { HandoutId } from './handouts.ts'

const WRONG_REGION = 'org.apache.hadoop.hbase.regionserver.WrongRegionException'

/** HBase: HRegionServer.getRegionByEncodedName. */
export function regionNotOnline(encodedName: string): HBaseError {
  return new HBaseError('NOT_SERVING_REGION', `${encodedName} is not online on this server`)
}

/** HBase: UnknownRegionException, of an upkeep of regions. */
export function unknownRegion(name: Buffer): HBaseError {
  return new HBaseError('DO_NOT_RETRY', abbreviated(name), {
    javaClass: 'org.apache.hadoop.hbase.UnknownRegionException',
  })
}

type Region = Pick<RegionLocation, 'name' | 'startKey' | 'endKey'>
/** HBase's name of the operation that reads or writes the row. */
export type RowOperationName = 'Get' | 'batchMutate' | 'doCheckAndRowMutate' | 'row lock'

/** Throws NOT_SERVING_REGION for a row outside the region. HBase: HRegion.checkRow. */
export function checkRowIsInRegion(row: Buffer, region: Region, operation: RowOperationName): void {
  if (isRowInRegion(row, region)) return
  const { startKey, endKey } = region
  throw new HBaseError(
    'NOT_SERVING_REGION',
    `Requested row out of range for ${operation} on HRegion ${abbreviated(region.name)}, ` +
      `startKey='${abbreviated(startKey)}', getEndKey()='${abbreviated(endKey)}', ` +
      `row='${abbreviated(row)}'`,
    { javaClass: WRONG_REGION },
  )
}

function isRowInRegion(row: Buffer, { startKey, endKey }: Region): boolean {
  return compareBytes(row, startKey) >= 0 && (endKey.length === 0 || compareBytes(row, endKey) < 0)
}

/**
 * Throws NOT_SERVING_REGION for a row of a condition, or a first row, outside the region: the region may have moved. Other rows
 * outside it are DO_NOT_RETRY. HBase: MultiRowMutationEndpoint.mutateRows.
 */
export function checkPartsAreInRegion(parts: readonly RowPart[], region: Region): void {
  const rows = parts.filter(({ operations }) => operations.length > 0).map(({ row }) => row)
  const strange = rows.findIndex((row) => !isRowInRegion(row, region))
  if (strange >= 0) {
    const message = `Requested row out of range '${abbreviated(rows[strange]!)}'`
    throw strange === 0
      ? new HBaseError('NOT_SERVING_REGION', message, { javaClass: WRONG_REGION })
      : new HBaseError('DO_NOT_RETRY', message)
  }
  for (const { row, condition } of parts) {
    if (condition !== undefined) checkRowIsInRegion(row, region, 'row lock')
  }
}

/** HBase: RSRpcServices.getRegionScanner. */
export function unknownScanner(scanner: HandoutId): HBaseError {
  return new HBaseError('UNKNOWN_SCANNER', `Unknown scanner '${scanner}'`)
}

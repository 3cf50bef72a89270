import { HBaseError } from '../../../src/model/errors.ts'
import { type CellBlockCompressor, cellBlockCompressor } from '../../../src/wire/rpc/cell-block-compressor.ts'
import type { HBaseOptions } from './hbase-options.ts'

/** The compressor of cell blocks on the way to the cluster; undefined: none. Throws ILLEGAL_ARGUMENT for an unknown class. */
export function compressorOf({ compressorClass }: HBaseOptions): CellBlockCompressor | undefined {
  if (compressorClass === '') return undefined
  const compressor = cellBlockCompressor(compressorClass)
  if (compressor !== undefined) return compressor
  throw new HBaseError(
    'ILLEGAL_ARGUMENT',
    `hbase.client.rpc.compressor: ${compressorClass} is not known here`,
  )
}

/** The keys at which a new table is split. HBase: RegionSplitter's algorithms. */

import { readFileSync } from 'node:fs'
import { refuse } from '../output/shell-error.ts'
import { isTrue, type RubyHash, textOf, type Value } from '../ruby/values.ts'
import { binaryOf, integerOf } from './argument-values.ts'

/** The number of digits of numeric keys. */
const DIGITS = 8
const UNIFORM_BYTES = 8

/** The split keys that the options state; undefined where they state none. Removes these options from the hash. */
export function statedSplits(options: RubyHash): Buffer[] | undefined {
  const file = options.take('SPLITS_FILE')
  if (isTrue(file)) return linesOf(textOf(file!)).map((line) => binaryOf(Buffer.from(line)))
  const keys = options.take('SPLITS')
  if (isTrue(keys)) {
    if (!Array.isArray(keys)) refuse('SPLITS must be an Array')
    return keys.map(binaryOf)
  }
  const [regions, algorithm] = [options.take('NUMREGIONS'), options.take('SPLITALGO')]
  if (regions === undefined && algorithm === undefined) return undefined
  if (regions === undefined) refuse('Number of regions must be specified')
  if (algorithm === undefined) refuse('Split algorithm must be specified')
  return algorithmSplits(regions, textOf(algorithm))
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split(/\r?\n/)
      .filter((line, index, all) => line !== '' || index < all.length - 1)
  } catch {
    refuse(`Splits file ${path} doesn't exist`)
  }
}

function algorithmSplits(stated: Value, algorithm: string): Buffer[] {
  const regions = integerOf(stated, 'NUMREGIONS')
  if (regions <= 1n) refuse('Number of regions must be greater than 1')
  if (regions > 1_000_000n) refuse(`NUMREGIONS ${regions} is too many`)
  switch (algorithm) {
    case 'HexStringSplit':
      return numberedSplits(regions, 16)
    case 'DecimalStringSplit':
      return numberedSplits(regions, 10)
    case 'UniformSplit':
      return uniformSplits(regions)
    default:
      refuse(
        `Problem loading split algorithm ${algorithm}: it must be HexStringSplit, DecimalStringSplit or UniformSplit`,
      )
  }
}

function numberedSplits(regions: bigint, radix: number): Buffer[] {
  const size = BigInt(radix) ** BigInt(DIGITS) / regions
  return upTo(regions, (index) => Buffer.from((size * index).toString(radix).padStart(DIGITS, '0')))
}

function uniformSplits(regions: bigint): Buffer[] {
  const size = 2n ** BigInt(8 * UNIFORM_BYTES) / regions
  return upTo(regions, (index) => {
    const key = Buffer.alloc(UNIFORM_BYTES)
    key.writeBigUInt64BE(size * index)
    return key
  })
}

function upTo(regions: bigint, key: (index: bigint) => Buffer): Buffer[] {
  return Array.from({ length: Number(regions) - 1 }, (_, index) => key(BigInt(index + 1)))
}

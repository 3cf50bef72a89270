import { expect, test } from 'vitest'
import type { Region } from '../../../../adapters/native/region/region.ts'
import { greatestOfParts } from '../../../../adapters/native/write/durability.ts'
import { DEFAULT_MUTATION_OPTIONS, type Durability, type RowPart } from '../../../../src/model/mutation.ts'
import { put } from '../../../store/suite/row-operations.ts'
import { bytes } from '../../../store/suite/store-under-test.ts'

const region = (attributes: readonly (readonly [string, string])[]): Region =>
  ({ table: { attributes: new Map(attributes) } }) as unknown as Region

/** A part whose operations have these durabilities; undefined: that of the part. */
function part(ofPart: Durability, ofOperations: readonly (Durability | undefined)[]): RowPart {
  const operations = ofOperations.map((durability) => {
    const operation = put('r', 'f:q', 'v')
    return durability === undefined ? operation : { ...operation, options: { durability } }
  })
  return { row: bytes('r'), operations, options: { ...DEFAULT_MUTATION_OPTIONS, durability: ofPart } }
}

test.each<[Durability, (Durability | undefined)[], Durability]>([
  ['USE_DEFAULT', [undefined], 'ASYNC_WAL'],
  ['SKIP_WAL', ['SKIP_WAL', 'USE_DEFAULT'], 'ASYNC_WAL'],
  ['SKIP_WAL', ['SKIP_WAL', 'FSYNC_WAL', 'SYNC_WAL'], 'FSYNC_WAL'],
  ['SYNC_WAL', ['SKIP_WAL', undefined], 'SYNC_WAL'],
  ['FSYNC_WAL', ['SKIP_WAL', 'SKIP_WAL'], 'SKIP_WAL'],
])('the operations of a change (%s: %s) have the greatest durability of any: %s', (own, all, greatest) => {
  const table = region([['DURABILITY', 'ASYNC_WAL']])
  expect(greatestOfParts(table, [part(own, all)])).toBe(greatest)
  expect(greatestOfParts(table, [part('SKIP_WAL', [undefined]), part(own, all)])).toBe(greatest)
})

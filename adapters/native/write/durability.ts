/** The durability that counts for a mutation or a batch. */

import type { Durability, MutationBatch, RowPart } from '../../../src/model/mutation.ts'
import type { Region } from '../region/region.ts'

/** In order, the least durable first. */
const DURABILITIES: readonly Durability[] = ['SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL']

/** The mutation's durability, else the table's, else SYNC_WAL. ASYNC_WAL is answered like SYNC_WAL: the append costs next to nothing. */
export function effectiveDurability(stated: Durability, { table }: Region): Durability {
  if (stated !== 'USE_DEFAULT') return stated
  const ofTable = table.attributes.get('DURABILITY')
  return DURABILITIES.find((durability) => durability === ofTable) ?? 'SYNC_WAL'
}

/** Operations that are stored together all have the greatest durability of any. */
export function greatestOfParts(region: Region, parts: readonly RowPart[]): Durability {
  let greatest = 0
  for (const { operations, options: ofPart } of parts) {
    for (const { options = ofPart } of operations) {
      const durability = effectiveDurability(options.durability, region)
      greatest = Math.max(greatest, DURABILITIES.indexOf(durability))
    }
  }
  return DURABILITIES[greatest]!
}

/** Mutations that are stored together all have the greatest durability of any. */
export function greatestDurability(
  region: Region,
  batch: MutationBatch,
  indexes: readonly number[],
): Durability {
  let greatest = 0
  let before: Durability | undefined
  for (const index of indexes) {
    const { durability } = batch.options[index]!
    if (durability === before) continue
    before = durability
    greatest = Math.max(greatest, DURABILITIES.indexOf(effectiveDurability(durability, region)))
  }
  return DURABILITIES[greatest]!
}

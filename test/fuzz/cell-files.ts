/** Files of cells that `tidegate import` reads. */

import type { CellParts } from '../../src/model/cell.ts'
import { blockOf } from '../../src/model/cell-block.ts'
import { FORMATS, type FormatName } from '../../src/transfer/formats/formats.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'

const CELLS: readonly CellParts[] = [4, 8, 12, 14].map((type) => ({
  row: Buffer.from('row\\"'),
  family: Buffer.from('f'),
  qualifier: Buffer.from([0, 0xff]),
  timestamp: 1_425_447_797_805n,
  type,
  value: type === 4 ? Buffer.from('a "value", of é') : Buffer.alloc(0),
}))

function written(name: FormatName): Buffer {
  const writer = FORMATS[name].writer()
  return Buffer.concat([
    writer.begin(),
    writer.results({ cells: blockOf(CELLS), counts: [2, 2] }),
    writer.end(),
  ])
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

function target(name: FormatName): FuzzTarget {
  return {
    name: `cells-${name}`,
    seeds: () => [written(name)],
    run: async (input) => {
      const all: unknown[] = []
      for await (const read of FORMATS[name].read(once(input))) all.push(read)
      return all
    },
    isRefusal: (error) => error instanceof Error && error.name === 'MalformedFile',
  }
}

export const cellLines: FuzzTarget = target('ndjson')
export const cellTable: FuzzTarget = target('csv')
export const exportFile: FuzzTarget = target('sequence')

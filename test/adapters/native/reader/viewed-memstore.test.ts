/** A walk over a memstore that another thread writes, between whose steps nodes of the index are replaced, freed, overwritten and used again. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellIterator } from '../../../../adapters/native/cells/cell-run.ts'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import type { PublishedMemstore } from '../../../../adapters/native/memstore/published-memstore.ts'
import { ThreadWords } from '../../../../adapters/native/platform/thread-words.ts'
import { ViewedMemstore } from '../../../../adapters/native/reader/viewed-memstore.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { keyValue } from '../memstore/memstore-under-test.ts'

class Written {
  readonly #words = new ThreadWords(ThreadWords.memoryFor(1))
  readonly viewed = new ViewedMemstore(this.#words)
  readonly #changed: PublishedMemstore[] = []
  readonly #memstore: Memstore
  sequenceId = 0
  #epoch = 0

  constructor() {
    const changed = (memstore: PublishedMemstore): void => void this.#changed.push(memstore)
    const publications = { words: this.#words, poisons: true, changed }
    this.#memstore = new Memstore(new ChunkPool(true, undefined, true), undefined, publications)
  }

  /** Adds cells, and shows them. No reader needs older nodes: the turn of each has ended. */
  commit(rows: readonly number[]): void {
    for (const row of rows) {
      const id = ++this.sequenceId
      const key = keyValue(`row${String(row).padStart(4, '0')}`, 'q', id)
      this.#memstore.add(key, 0, key.length, key.length, 0, id)
    }
    this.#epoch += 2
    for (const memstore of this.#changed.splice(0)) {
      const growth = memstore.takeGrowth()
      if (growth !== undefined) this.viewed.grow(growth)
      memstore.publish(this.#epoch)
      memstore.reclaim(this.#epoch)
    }
  }

  /** All cells up to the sequence id, in order. */
  cells(readPoint: number): number[] {
    return idsOf(this.#memstore.iterator(readPoint))
  }
}

function idsOf(cells: CellIterator): number[] {
  const ids: number[] = []
  for (cells.seekToFirst(); cells.valid; cells.next()) ids.push(cells.sequenceId)
  return ids
}

const rows = fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 80 })

test('a walk that takes many turns meets the cells of its read point, each once, in order', () => {
  const step = fc.record({ commits: fc.array(rows, { maxLength: 4 }), cells: fc.nat({ max: 40 }) })
  fc.assert(
    fc.property(rows, fc.array(step, { minLength: 2, maxLength: 20 }), (first, steps) => {
      const written = new Written()
      written.commit(first)
      const readPoint = written.sequenceId
      const expected = written.cells(readPoint)
      const { viewed } = written
      viewed.refresh()
      const walk = viewed.iterator(readPoint)
      walk.seekToFirst()
      const met: number[] = []
      for (const { commits, cells } of steps) {
        for (const commit of commits) written.commit(commit)
        viewed.refresh()
        for (let i = 0; i < cells && walk.valid; i++) {
          met.push(walk.sequenceId)
          walk.next()
        }
      }
      viewed.refresh()
      for (; walk.valid; walk.next()) met.push(walk.sequenceId)
      expect(met).toEqual(expected)
    }),
    { numRuns: testRuns(60) },
  )
})

test('a new walk meets what was shown last', () => {
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 12 }), (commits) => {
      const written = new Written()
      for (const commit of commits) {
        written.commit(commit)
        written.viewed.refresh()
        const readPoint = written.sequenceId
        expect(idsOf(written.viewed.iterator(readPoint))).toEqual(written.cells(readPoint))
      }
    }),
    { numRuns: testRuns(30) },
  )
})

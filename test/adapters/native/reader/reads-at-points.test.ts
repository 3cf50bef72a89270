/** Gets between the steps of the writer, by a reader that is up to date and by one that begins at this moment. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { NODE_FILE_SYSTEM } from '../../../../adapters/native/platform/node-file-system.ts'
import { ThreadWords } from '../../../../adapters/native/platform/thread-words.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { DISTURBANCES, type Disturbance } from '../../../harness/readers/litmus-changes.ts'
import { LITMUS_TABLE, LitmusStore, LOADED } from '../../../harness/readers/litmus-store.ts'
import { type ReaderOfStore, readerOfStore } from '../../../harness/readers/reader-of-store.ts'
import { StoppedWords } from '../../../harness/readers/stopped-words.ts'

const SETTINGS = {
  fileSystem: NODE_FILE_SYSTEM,
  clock: { now: Date.now },
  random: Math.random,
  // Less than one block.
  options: { poisonReleased: true, blockCacheBytes: 1000 },
}
const READERS_MAX = 2

let words: StoppedWords
let store: LitmusStore

async function opened(): Promise<void> {
  words = new StoppedWords(ThreadWords.memoryFor(READERS_MAX))
  store = await LitmusStore.open(words)
}

afterEach(async () => {
  words.point = () => undefined
  await store.close()
})

/** Resolves to the fault of a get that begins now; undefined: it found what it had to. */
async function faultOf(reader: ReaderOfStore): Promise<string | undefined> {
  const { value: from, valueMax: to, isLoaded } = store
  const row = get(Buffer.from('a'))
  const { cells } = await reader.rows.get(LITMUS_TABLE, [row], { bytes: 1 << 24 }, OWN_CALL)
  const [one, other, ...more] = cellsOf(cells).map(({ value }) => Number(value.toString()))
  const isOne = one !== undefined && one === other && more.length === 0
  if (isOne && ((one >= from && one <= to) || (isLoaded && one === LOADED))) return undefined
  return `found ${one} and ${other}, where the row had ${from} to ${to}`
}

describe.each(Object.keys(DISTURBANCES) as Disturbance[])('beside %s', (disturbance) => {
  test('a get at each point of the writer finds one state of its row', async () => {
    await opened()
    const reader = readerOfStore(store.store, SETTINGS)
    const found: Promise<string | undefined>[] = []
    words.point = () => void found.push(faultOf(reader))
    await DISTURBANCES[disturbance](store)
    words.point = () => undefined
    expect(found.length).toBeGreaterThan(20)
    expect((await Promise.all(found)).filter((fault) => fault !== undefined)).toEqual([])
    expect(await faultOf(reader)).toBe(undefined)
    reader.close()
  })

  test('so does the first get of a thread that begins in any turn of the event loop', async () => {
    await opened()
    const change = { isOver: false }
    const changed = DISTURBANCES[disturbance](store).finally(() => (change.isOver = true))
    let begun = 0
    while (!change.isOver) {
      const reader = readerOfStore(store.store, SETTINGS)
      expect(await faultOf(reader)).toBe(undefined)
      await nextTurn()
      expect(await faultOf(reader)).toBe(undefined)
      reader.close()
      begun++
    }
    await changed
    expect(begun).toBeGreaterThan(1)
  })
})

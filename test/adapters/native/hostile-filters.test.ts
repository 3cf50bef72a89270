/** Requests whose filters take long: no turn of the event loop takes longer than a tenth of a second. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import type { Comparator, Filter } from '../../../src/model/filter.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { longestTurnOfBestTry } from '../../harness/longest-turn.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { rest, TABLE, tableOf } from './store-under-test.ts'

const TURN_MS_MAX = 100
const LARGE = Buffer.from('large')
const WIDE = Buffer.from('wide')
const COLUMNS = 8_000

let store: Store

beforeAll(async () => {
  store = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => performance.now() },
    random: Math.random,
  })
  await store.catalog.createTable(tableOf('f'), [], OWN_CALL)
  const batch = new MutationBatch()
  const family = Buffer.from('f')
  // A text in which no part comes back, so that an automaton has many states.
  const letters = Array.from(
    { length: 5_000 },
    (_, i) => 'abc'[Math.imul(i * i, 2_654_435_761) >>> 30] ?? 'a',
  )
  batch.put(LARGE, family, Buffer.from('text'), Buffer.from(letters.join('')))
  batch.put(LARGE, family, Buffer.from('value'), Buffer.alloc(1 << 20, 'x')).endMutation()
  for (let i = 0; i < COLUMNS; i++) batch.put(WIDE, family, Buffer.from(`q${i}`), Buffer.from('value'))
  batch.endMutation()
  await store.rows.mutate(TABLE, batch, OWN_CALL)
})

afterAll(() => store.close())

function valueIs(comparator: Comparator): Filter {
  return { kind: 'ValueFilter', operator: 'EQUAL', comparator }
}

function oneOf(count: number, comparator: (index: number) => Comparator): Filter {
  const filters = Array.from({ length: count }, (_, index) => valueIs(comparator(index)))
  return { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters }
}

const substrings = oneOf(60, (i) => ({ kind: 'SubstringComparator', substring: `missing ${i}` }))
const values = oneOf(40, (i) => ({ kind: 'BinaryComparator', value: Buffer.from(`value${i}`) }))
const linear = valueIs({
  kind: 'RegexStringComparator',
  pattern: '(a|b|c)*a[abc]{900}[^abc]',
  flags: 0,
  charset: 'UTF-8',
  engine: 'JAVA',
})
const backtracking = valueIs({
  kind: 'RegexStringComparator',
  pattern: '(?=x)(?:x|y)*?z',
  flags: 0,
  charset: 'UTF-8',
  engine: 'JAVA',
})

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return undefined
  } catch (error) {
    return error
  }
}

describe('a turn of the event loop', () => {
  it.each([
    ['many comparators on a large cell', LARGE, substrings],
    ['many filters on a row of many columns', WIDE, values],
    ['a pattern of many states', LARGE, linear],
    ['a pattern that is matched by trying one way after the other', LARGE, backtracking],
  ])('is short under %s', async (_, row, filter) => {
    const ofGet = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
      const failure = await failureOf(
        store.rows.get(TABLE, [get(row, { filter })], { bytes: 1 << 28 }, OWN_CALL),
      )
      if (filter !== backtracking) expect(failure).toBeUndefined()
    })
    const ofScan = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
      const scanner = await openScanner(store, TABLE, scan({ startRow: row, filter }), OWN_CALL)
      await failureOf(rest(scanner))
      await scanner.close()
    })
    expect(ofGet).toBeLessThan(TURN_MS_MAX)
    expect(ofScan).toBeLessThan(TURN_MS_MAX)
  })
})

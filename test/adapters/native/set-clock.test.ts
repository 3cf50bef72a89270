/** A machine whose time somebody sets: cells follow it, as in HBase; waits do not. */

import { expect, test } from 'vitest'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch, type RowMutation } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { TABLE } from './store-under-test.ts'

const HOUR = 3_600_000
const START = 1_700_000_000_000
const ROW = Buffer.from('r')
const FAMILY = Buffer.from('f')

interface Session {
  readonly store: Store
  /** What the machine says. */
  wallMs: number
  /** What passes. */
  passedMs: number
}

async function open(attributes: Readonly<Record<string, string>> = {}): Promise<Session> {
  const session = { wallMs: START, passedMs: 5 }
  const store = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => session.wallMs, monotonicMs: () => session.passedMs },
    random: Math.random,
  })
  const table = tableDescriptor(TABLE, [familyDescriptor('f', Object.entries(attributes))])
  await store.catalog.createTable(table, [], OWN_CALL)
  return Object.assign(session, { store })
}

async function put({ store }: Session, value: string): Promise<void> {
  const batch = new MutationBatch().put(ROW, FAMILY, Buffer.from('q'), Buffer.from(value))
  batch.endMutation()
  expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
}

async function found({ store }: Session): Promise<string[]> {
  const { cells } = await store.rows.get(TABLE, [get(ROW)], { bytes: 1000 }, OWN_CALL)
  return cellsOf(cells).map(({ value, timestamp }) => `${value.toString()}@${Number(timestamp) - START}`)
}

function increment(nonce: bigint): RowMutation {
  const value = Buffer.from('0000000000000001', 'hex')
  const cell = {
    row: ROW,
    family: FAMILY,
    qualifier: Buffer.from('n'),
    timestamp: 0n,
    type: CellType.Put,
    value,
  }
  return {
    row: ROW,
    operations: [{ kind: 'increment', cells: blockOf([cell]) }],
    options: { durability: 'USE_DEFAULT' },
    nonce: { group: 1n, nonce },
  }
}

async function count({ store }: Session, nonce: bigint): Promise<bigint> {
  const { results } = await store.rows.mutateRow(TABLE, increment(nonce), OWN_CALL)
  return cellsOf(results.cells)[0]!.value.readBigInt64BE()
}

test('a put after the time was set back has the older timestamp, and the newer one is still read', async () => {
  const session = await open()
  await put(session, 'first')
  session.wallMs -= HOUR
  await put(session, 'second')
  expect(await found(session)).toEqual(['first@0'])
  session.wallMs += 2 * HOUR
  await put(session, 'third')
  expect(await found(session)).toEqual([`third@${HOUR}`])
})

test('a counter goes on counting after the time was set back', async () => {
  const session = await open()
  expect(await count(session, 1n)).toBe(1n)
  session.wallMs -= HOUR
  expect(await count(session, 2n)).toBe(2n)
  expect(await count(session, 3n)).toBe(3n)
})

test('a change that comes again is made once, though the time was set forward by hours meanwhile', async () => {
  const session = await open()
  expect(await count(session, 1n)).toBe(1n)
  session.wallMs += 2 * HOUR
  expect(await count(session, 1n)).toBe(1n)
  session.passedMs += 2 * HOUR
  expect(await count(session, 1n)).toBe(2n)
})

test('a time to live follows the time that cells have', async () => {
  const session = await open({ TTL: '60' })
  await put(session, 'v')
  session.wallMs += 61_000
  expect(await found(session)).toEqual([])
  session.wallMs -= 61_000
  expect(await found(session)).toEqual(['v@0'])
})

test('a scan with a limit of time ends by the time that passes, whatever the clock says', async () => {
  const session = await open()
  const { rows, handouts } = session.store
  const batch = new MutationBatch()
  for (let i = 0; i < 45_000; i++) {
    batch.put(Buffer.from(`r${i + 10_000}`), FAMILY, Buffer.from('q'), Buffer.from('v'))
    batch.endMutation()
  }
  await rows.mutate(TABLE, batch, OWN_CALL)
  const { id } = await rows.openScanner(TABLE, scan(), OWN_CALL)
  const limits = { rows: 1_000_000, bytes: 1 << 30, allowPartial: false, timeMs: 100 }
  const first = handouts.next(id, limits, OWN_CALL)
  session.wallMs -= HOUR
  session.passedMs += 101
  const { ended, results } = await first
  expect(ended).toBe('batch')
  const second = handouts.next(id, limits, OWN_CALL)
  session.wallMs += 2 * HOUR
  expect(results.counts.length + (await second).results.counts.length).toBe(45_000)
  await handouts.closeScanner(id)
})

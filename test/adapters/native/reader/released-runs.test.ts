/** The engine keeps the runs that a reader may need, and no others. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openScanner, type Scanner } from '../../../../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { openReadBeside } from '../../../harness/readers/reader-of-store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { rest } from '../store-under-test.ts'

const TABLE = parseTableName('t')
const ROWS = ['a', 'b', 'c']

let fileSystem: CrashableFileSystem
let store: Store

beforeEach(async () => {
  fileSystem = new CrashableFileSystem()
  const clock = { now: (): number => 1_700_000_000_000 }
  const options = { poisonReleased: true, heldSnapshotBytesMax: 1 }
  store = await openReadBeside({ directory: '/s', fileSystem, clock, random: () => 0.5, options })
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
})

afterEach(() => store.close())

async function put(value: string): Promise<void> {
  const batch = new MutationBatch()
  for (const row of ROWS) {
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from(value))
    batch.endMutation()
  }
  await store.rows.mutate(TABLE, batch, OWN_CALL)
}

async function flush(): Promise<void> {
  await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
}

async function compact(): Promise<void> {
  const compactions = store.upkeep.compactions!
  await compactions.compactTable(TABLE, { major: true }, OWN_CALL)
  while ((await compactions.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

function scanner(): Promise<Scanner> {
  return openScanner(store, TABLE, scan({}), OWN_CALL)
}

async function read(): Promise<string> {
  const { cells } = await store.rows.get(TABLE, [get(Buffer.from('a'))], { bytes: 1 << 20 }, OWN_CALL)
  return cells.buffer.toString('latin1', cells.start, cells.end)
}

function files(): string[] {
  return fileSystem.paths().filter((path) => /\/f\/\d+$/.test(path))
}

/** Waits until the reader and the engine have each other's messages. */
async function filesAreLetGoOf(count: number): Promise<void> {
  for (let turn = 0; files().length > count && turn < 1000; turn++) await nextTurn()
  expect(files()).toHaveLength(count)
}

test('files that were compacted away go, though the reader has read them', async () => {
  for (let round = 0; round < 20; round++) {
    await put(`v${round}`)
    await flush()
    expect(await read()).toContain(`v${round}`)
    if (round % 4 === 3) await compact()
  }
  await filesAreLetGoOf(1)
})

test('an open scan keeps its files, and goes on in the file of a memstore that is let go of', async () => {
  await put('old')
  const first = await scanner()
  const limits = { rows: 1, bytes: 1 << 20, allowPartial: false }
  await first.next(limits, OWN_CALL)
  await nextTurn()
  for (let round = 0; round < 4; round++) {
    await put(`v${round}`)
    await flush()
  }
  await compact()
  expect(await rest(first)).toEqual(['b=old', 'c=old'])
  await first.close()
  await filesAreLetGoOf(1)
})

test('scans that are abandoned at their begin keep nothing once they are closed', async () => {
  await put('old')
  const open: Scanner[] = []
  for (let round = 0; round < 30; round++) {
    open.push(await scanner())
    if (round % 3 === 0) await nextTurn()
    await put(`v${round}`)
    if (round % 5 === 0) await flush()
  }
  await compact()
  for (const each of open) await each.close()
  await filesAreLetGoOf(1)
  await flush()
  await compact()
  await filesAreLetGoOf(1)
})

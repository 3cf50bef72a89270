import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { Siblings } from '../../../../src/gateway/siblings/siblings.ts'
import type { Store } from '../../../../src/store/store.ts'
import { makeTemporaryFolder } from '../../../harness/tidegate-process.ts'
import { DIALECTS, startThriftServer, type ThriftServer } from './thrift-server.ts'

/** Two servers of one store, as in two processes of one server. */
let folder: string
let store: Store
let holder: ThriftServer
let other: ThriftServer

function siblingsOf(slot: number): Siblings {
  return new Siblings({ slot, startedAt: 1, folder })
}

function rowsOf(results: unknown): string[] {
  return (results as { row: Buffer }[]).map(({ row }) => row.toString())
}

beforeEach(async () => {
  folder = makeTemporaryFolder()
  store = openMemoryStore({ clock: Date })
  holder = await startThriftServer({}, undefined, store, { siblings: siblingsOf(1) })
  other = await startThriftServer({}, undefined, store, { siblings: siblingsOf(2) })
  const thrift1 = holder.thrift1()
  await thrift1['createTable']!('t', [{ name: 'f:' }])
  for (const row of ['a', 'b', 'c']) {
    await thrift1['mutateRow']!('t', row, [{ column: 'f:q', value: 'v' }], {})
  }
})

afterEach(async () => {
  await other.close()
  await holder.close()
  rmSync(folder, { recursive: true })
})

describe.each(DIALECTS)('in the dialect %j', (dialect) => {
  test('a scanner of Thrift 1 is read and closed over a connection to another process', async () => {
    const id = await holder.thrift1(dialect)['scannerOpen']!('t', '', [], {})
    const client = other.thrift1(dialect)
    expect(rowsOf(await client['scannerGet']!(id))).toEqual(['a'])
    expect(rowsOf(await client['scannerGetList']!(id, 5))).toEqual(['b', 'c'])
    await client['scannerClose']!(id)
    const unknown = await holder.thrift1(dialect)['scannerGet']!(id).catch((error: unknown) => error)
    await expect(client['scannerGet']!(id)).rejects.toEqual(unknown)
  })

  test('and so is one of Thrift 2', async () => {
    const id = await holder.thrift2(dialect)['openScanner']!('t', {})
    const client = other.thrift2(dialect)
    expect(await client['getScannerRows']!(id, 2)).toHaveLength(2)
    expect(await holder.thrift2(dialect)['getScannerRows']!(id, 2)).toHaveLength(1)
    await client['closeScanner']!(id)
    await expect(client['getScannerRows']!(id, 1)).rejects.toMatchObject({ message: 'Invalid scanner Id' })
  })
})

test('the scanners of a process that has gone are unknown, also once another has its place', async () => {
  const id = await holder.thrift2()['openScanner']!('t', {})
  const client = other.thrift2()
  expect(await client['getScannerRows']!(id, 1)).toHaveLength(1)
  await holder.close()
  const unknown = { message: 'Invalid scanner Id' }
  await expect(client['getScannerRows']!(id, 1)).rejects.toMatchObject(unknown)
  store = openMemoryStore({ clock: Date })
  holder = await startThriftServer({}, undefined, store, { siblings: siblingsOf(3) })
  await holder.thrift1()['createTable']!('t', [{ name: 'f:' }])
  expect(await holder.thrift2()['openScanner']!('t', {})).not.toBe(id)
  await expect(client['getScannerRows']!(id, 1)).rejects.toMatchObject(unknown)
})

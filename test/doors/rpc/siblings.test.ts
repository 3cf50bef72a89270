import { rmSync } from 'node:fs'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { RpcClient } from '../../../conformance/src/runner/rpc-client.ts'
import { type RpcDoor, startRpcDoor } from '../../../src/doors/rpc/rpc-door.ts'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import type { Door, DoorContext } from '../../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { Siblings } from '../../../src/gateway/siblings/siblings.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { makeTemporaryFolder } from '../../harness/tidegate-process.ts'

type Fields = Record<string, unknown>
type Service = 'ClientService' | 'MasterService'

let folder: string
let store: Store
let holder: Door
let other: RpcDoor
let masterOfOther: Door
let region: Fields

const ADDRESS = { host: '127.0.0.1', port: 0 }

function contextOf(slot: number, startCode: number): DoorContext {
  const server = { host: '127.0.0.1', port: 0, startCode }
  const logger = pino({ level: 'silent' })
  const siblings = new Siblings({ slot, startedAt: startCode, folder })
  const limits = DEFAULT_LIMITS
  return { store: advertised(store, server), server, limits, memory: new MemoryBudget(), logger, siblings }
}

beforeEach(async () => {
  folder = makeTemporaryFolder()
  store = openMemoryStore({ clock: Date })
  const table = parseTableName('t')
  await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL)
  const [first] = await store.catalog.regions(table, OWN_CALL)
  region = { type: 1, value: first!.name }
  holder = await startRpcDoor(contextOf(1, 4711), ADDRESS)
  const context = contextOf(2, 4711)
  other = await startRpcDoor(context, ADDRESS)
  masterOfOther = await other.openMaster(context, ADDRESS)
})

afterEach(async () => {
  await masterOfOther.close()
  await other.close()
  await holder.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

/** One call over a connection of its own. Throws an error with the class of the exception. */
async function call(door: Door, service: Service, method: string, fields: Fields): Promise<Fields> {
  const client = new RpcClient({ host: '127.0.0.1', port: door.port }, { service }, 5000)
  try {
    const answer = await client.call({ service, method } as never, fields as never)
    if (answer.kind === 'exception') throw new Error(answer.exception.exceptionClassName)
    return { ...answer.message }
  } finally {
    client.close()
  }
}

const scan = (door: Door, fields: Fields): Promise<Fields> => call(door, 'ClientService', 'Scan', fields)

test('a scanner is renewed, read and closed at another door', async () => {
  const { scannerId } = await scan(holder, { region, scan: {}, numberOfRows: 0 })
  expect(await scan(other, { scannerId, renew: true })).toMatchObject({ scannerId })
  const wrong = { scannerId, numberOfRows: 1, nextCallSeq: 9n }
  await expect(scan(other, wrong)).rejects.toThrow('OutOfOrderScannerNextException')
  const read = { scannerId, numberOfRows: 1, nextCallSeq: 0n }
  expect(await scan(other, read)).toMatchObject({ moreResultsInRegion: false })
  expect(await scan(other, { scannerId, closeScanner: true })).toMatchObject({ scannerId })
})

test('the scanners of a process that has gone are unknown, and so are those of another start', async () => {
  const { scannerId } = await scan(holder, { region, scan: {}, numberOfRows: 0 })
  const read = { scannerId, numberOfRows: 1 }
  await holder.close()
  await expect(scan(other, read)).rejects.toThrow('UnknownScannerException')
  holder = await startRpcDoor(contextOf(1, 4712), ADDRESS)
  const again = await scan(holder, { region, scan: {}, numberOfRows: 0 })
  expect(again['scannerId']).not.toBe(scannerId)
  await expect(scan(other, read)).rejects.toThrow('UnknownScannerException')
})

test('the result of a change is asked for at another door', async () => {
  const tableName = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }
  const { procId } = await call(holder, 'MasterService', 'DisableTable', { tableName })
  expect(Number(procId)).toBeGreaterThan(1)
  const FINISHED = 2
  expect(await call(other, 'MasterService', 'getProcedureResult', { procId })).toMatchObject({
    state: FINISHED,
  })
  const own = await call(other, 'MasterService', 'EnableTable', { tableName })
  expect(own['procId']).not.toBe(procId)
})

test('the port of the master asks siblings for results of changes, and for nothing of a scanner', async () => {
  const tableName = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }
  const { scannerId } = await scan(holder, { region, scan: {}, numberOfRows: 0 })
  await expect(scan(masterOfOther, { scannerId, numberOfRows: 1 })).rejects.toThrow('UnknownScannerException')
  expect(await scan(other, { scannerId, closeScanner: true })).toMatchObject({ scannerId })
  const { procId } = await call(holder, 'MasterService', 'DisableTable', { tableName })
  const FINISHED = 2
  expect(await call(masterOfOther, 'MasterService', 'getProcedureResult', { procId })).toMatchObject({
    state: FINISHED,
  })
})

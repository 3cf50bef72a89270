/** A scanner is its user's alone, whatever process of a server its id is shown to. */

import { create } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { greetingOf } from '../../src/gateway/siblings/handed-on.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { ClientService, ScanRequestSchema } from '../../src/wire/rpc/gen/client_pb.ts'
import { oneCall } from '../doors/rpc/one-call.ts'
import {
  type Doors,
  type GuardedDoors,
  openGuardedDoors,
  restOf,
  rpcOf,
  TABLE,
  thriftOf,
} from './guarded-doors.ts'

let doors: GuardedDoors

beforeAll(async () => {
  doors = await openGuardedDoors()
  const rows = ['YQ==', 'Yg==', 'Yw=='].map((key) => ({ key, Cell: [{ column: 'Zjpx', $: 'dg==' }] }))
  await restOf(doors.first, '/t/x', { user: 'alice', method: 'PUT', body: JSON.stringify({ Row: rows }) })
})

afterAll(() => doors.close())

const PLACES = ['first', 'second'] as const

describe.each(PLACES)('asked of the %s process', (place) => {
  const asked = (): Doors => doors[place]

  test('REST', async () => {
    const opened = await restOf(doors.first, '/t/scanner', {
      user: 'alice',
      method: 'PUT',
      body: '{"batch":1}',
    })
    const { pathname } = new URL(opened.headers.get('location')!)
    for (const method of ['GET', 'DELETE']) {
      const answer = await restOf(asked(), pathname, { user: 'bob', method })
      const unknown = await restOf(asked(), pathname.slice(0, -1), { user: 'bob', method })
      expect([answer.status, await answer.text()]).toEqual([unknown.status, await unknown.text()])
      expect(answer.status).toBe(404)
    }
    const forged = { 'x-tidegate-client': Buffer.from('{"principal":{"user":"alice"}}').toString('base64') }
    expect((await restOf(asked(), pathname, { user: 'bob', headers: forged })).status).toBe(404)
    expect((await restOf(asked(), pathname, { user: 'alice' })).status).toBe(200)
  })

  test('Thrift 1', async () => {
    const id = await thriftOf(doors.first, 'thrift1', 'alice')['scannerOpen']!('t', '', [], {})
    const bob = thriftOf(asked(), 'thrift1', 'bob')
    for (const method of ['scannerGet', 'scannerClose'])
      await expect(bob[method]!(id)).rejects.toMatchObject({ message: 'scanner ID is invalid' })
    expect(await thriftOf(asked(), 'thrift1', 'alice')['scannerGet']!(id)).toHaveLength(1)
  })

  test('Thrift 2', async () => {
    const id = await thriftOf(doors.first, 'thrift2', 'alice')['openScanner']!('t', {})
    const bob = thriftOf(asked(), 'thrift2', 'bob')
    await bob['closeScanner']!(id)
    await expect(bob['getScannerRows']!(id, 1)).rejects.toMatchObject({ message: 'Invalid scanner Id' })
    expect(await thriftOf(asked(), 'thrift2', 'alice')['getScannerRows']!(id, 1)).toHaveLength(1)
  })

  test('native RPC', async () => {
    const [region] = await doors.store.catalog.regions(TABLE, OWN_CALL)
    const { scan } = ClientService.method
    const whole = create(ScanRequestSchema, {
      region: { type: 1, value: region!.name },
      scan: {},
      numberOfRows: 0,
    })
    const { message } = await rpcOf(doors.first, 'alice', scan, whole)
    const { scannerId } = message
    for (const more of [{ numberOfRows: 1 }, { closeScanner: true }, { renew: true }])
      await expect(rpcOf(asked(), 'bob', scan, { scannerId, ...more })).rejects.toMatchObject({
        javaClass: 'org.apache.hadoop.hbase.UnknownScannerException',
      })
    const read = await rpcOf(asked(), 'alice', scan, { scannerId, numberOfRows: 1 })
    expect(read.cells()).toHaveLength(1)
  })
})

/** What a sibling sends before the connection header of this user's client. */
function handedOn(user: string): Buffer {
  return Buffer.concat([
    greetingOf({ ...OWN_CALL, principal: { user } }),
    Buffer.from('HBas\0\x50', 'latin1'),
  ])
}

test('native RPC of a user whom a sibling has proven, whatever the connection header says', async () => {
  const [region] = await doors.store.catalog.regions(TABLE, OWN_CALL)
  const { scan } = ClientService.method
  const whole = create(ScanRequestSchema, {
    region: { type: 1, value: region!.name },
    scan: {},
    numberOfRows: 0,
  })
  const { message } = await rpcOf(doors.first, 'alice', scan, whole)
  const read = { scannerId: message.scannerId, numberOfRows: 1 }
  const path = `${doors.folder.path}/1-rpc`
  await expect(oneCall(path, scan, read, { preamble: handedOn('bob'), user: 'alice' })).rejects.toMatchObject(
    {
      javaClass: 'org.apache.hadoop.hbase.UnknownScannerException',
    },
  )
  const answer = await oneCall(path, scan, read, { preamble: handedOn('alice'), user: 'root' })
  expect(answer.cells()).toHaveLength(1)
})

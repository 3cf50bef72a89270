/** Changes of another cluster over the wire. */

import { fromBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../../adapters/memory/memory-store.ts'
import { openScanner } from '../../../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../../../src/model/cell-block.ts'
import { tag } from '../../../../../src/model/cell-tags.ts'
import type { MutationBatch } from '../../../../../src/model/mutation.ts'
import { ALL_VERSIONS, scan } from '../../../../../src/model/query.ts'
import { gathered } from '../../../../../src/model/results.ts'
import { OWN_CALL } from '../../../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../../../src/store/decorate.ts'
import { KEY_VALUE_CODEC } from '../../../../../src/wire/rpc/connection-preamble.ts'
import { ReplicationLoadSinkSchema } from '../../../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { cellText, NO_LIMITS } from '../../../../store/suite/store-under-test.ts'
import { type RpcServer, startRpcServer, TABLE } from '../../rpc-server.ts'
import { cell, replicate, type SentEntry, WRITTEN_MS } from './sent-entries.ts'

const DO_NOT_RETRY = 'org.apache.hadoop.hbase.DoNotRetryIOException'
const one: SentEntry = { table: 't', cells: [cell('a', 'f:q', 'v')], clusters: [1n, 2n ** 63n] }

let server: RpcServer
let port: number
/** The batches that the store got. */
let batches: MutationBatch[]

beforeEach(async () => {
  const own = openMemoryStore({ clock: Date })
  batches = []
  const { rows } = own
  const mutate: typeof rows.mutate = (target, batch, call) => {
    batches.push(batch)
    return rows.mutate(target, batch, call)
  }
  server = await startRpcServer({ own: withFacets(own, { rows: withMethods(rows, { mutate }) }) })
  ;({ port } = server.door)
})

afterEach(() => server.close())

/** All cells of the table with their tags. */
async function stored(): Promise<string[]> {
  const all = scan({ maxVersions: ALL_VERSIONS, raw: true, withTags: true })
  const scanner = await openScanner(server.store, TABLE, all, OWN_CALL)
  const found: string[] = []
  for (let isLast = false; !isLast; ) {
    const { results, ended } = await scanner.next(NO_LIMITS, OWN_CALL)
    for (const each of cellsOf(gathered(results).cells))
      found.push(`${cellText(each)}${each.tags === undefined ? '' : ` ${each.tags.toString('hex')}`}`)
    isLast = ended === 'scan'
  }
  await scanner.close()
  return found
}

describe('cells', () => {
  const tags = tag(65, Buffer.from('t'))
  const sent: SentEntry[] = [
    { table: 't', cells: [cell('a', 'f:q', '1', { timestamp: 1n }), cell('a', 'g:q', '2', { tags })] },
    { table: 't', cells: [cell('z', 'f:q', '3'), cell('a', 'f:', '', { type: 14, timestamp: 4n })] },
  ]

  test('keep time stamp, type and tags; a repeated batch changes nothing', async () => {
    await replicate(port, sent)
    const found = await stored()
    expect(found).toEqual(['a/f:@4 DeleteFamily', 'a/f:q@1=1', 'a/g:q@5=2 00024174', 'z/f:q@5=3'])
    await replicate(port, sent)
    expect(await stored()).toEqual(found)
  })

  test('of a codec without tags have none', async () => {
    await replicate(port, sent, { codec: KEY_VALUE_CODEC })
    expect((await stored()).some((text) => text.includes(tags.toString('hex')))).toBe(false)
  })

  test('go to the store with the clusters that have them', async () => {
    await replicate(port, [one])
    const [batch] = batches
    expect(batch!.options.map(({ attributes }) => attributes?.get('_cs.id')?.toString('hex'))).toEqual([
      '000000020000000000000001fffffffffffffffe80000000000000007fffffffffffffff',
    ])
    expect(batch!.options[0]!.attributes?.get('__rep__')).toEqual(Buffer.alloc(0))
    const { remote } = server
    await remote.rows.mutate(TABLE, batch!, OWN_CALL)
    expect(batches[1]!.options).toEqual(batch!.options)
  })
})

async function sinkOf(): Promise<object> {
  const [load] = (await server.remote.upkeep.cluster!.status(OWN_CALL)).liveServers
  return fromBinary(ReplicationLoadSinkSchema, load!.replication!.sink)
}

test('the status counts what has arrived', async () => {
  expect(await sinkOf()).toMatchObject({ totalOpsProcessed: 0n, timeStampsOfLastAppliedOp: 1n })
  const before = BigInt(Date.now())
  await replicate(port, [one, one])
  await replicate(port, [])
  const found = (await sinkOf()) as { ageOfLastAppliedOp: bigint }
  expect(found).toMatchObject({
    totalOpsProcessed: 2n,
    timeStampsOfLastAppliedOp: WRITTEN_MS,
    timestampStarted: 1n,
  })
  expect(found.ageOfLastAppliedOp).toBeGreaterThanOrEqual(before - WRITTEN_MS)
})

describe('an entry that the server refuses', () => {
  afterEach(async () => {
    await replicate(port, [one])
    expect(await stored()).toHaveLength(1)
  })

  test('of a missing table or family has the class that a source looks for', async () => {
    await expect(replicate(port, [{ ...one, table: 'none' }])).rejects.toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.TableNotFoundException',
    })
    await expect(replicate(port, [{ ...one, cells: [cell('a', 'none:q', 'v')] }])).rejects.toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException',
    })
  })

  test.each([
    ['with a scope that HBase does not have', { more: scoped(3) }, {}, 'scope type 3'],
    ['with too many clusters', { clusters: Array.from({ length: 1001 }, () => 1n) }, {}, '1000 clusters'],
    ['with fewer cells', { more: { associatedCellCount: 2 } }, {}, 'Expected=2, index=1'],
    ['with more cells', { more: { associatedCellCount: 0 } }, {}, 'belong to no entry'],
    ['with a number of cells below none', { more: { associatedCellCount: -1 } }, {}, 'states -1 cells'],
    ['with cells in its message', { more: { keyValueBytes: [Buffer.from('v')] } }, {}, 'within its message'],
    ['of a client without a codec', {}, { codec: '', cells: Buffer.alloc(0) }, 'Expected=1, index=0'],
    ['with a cut block', {}, { cells: Buffer.from([0, 0, 0, 9, 1]) }, 'malformed cell'],
    ['of no table', { table: 'a b' }, {}, 'Illegal character'],
  ])('%s', async (_, entry, options, message) => {
    const error = await replicate(port, [{ ...one, ...entry }], options).then(
      () => undefined,
      (reason: unknown) => reason as { readonly javaClass: string; readonly message: string },
    )
    expect(error?.message).toContain(message)
    expect([DO_NOT_RETRY, 'org.apache.hadoop.hbase.io.hfile.CorruptHFileException']).toContain(
      error?.javaClass,
    )
  })
})

function keyOf(): object {
  return { encodedRegionName: Buffer.from('r'), logSequenceNumber: 1n, writeTime: 1n }
}

function scoped(scopeType: number): object {
  const scopes = [{ family: Buffer.from('f'), scopeType }]
  return { key: { ...keyOf(), tableName: Buffer.from('t'), scopes } }
}

test('a batch of 25,000 entries, and one of 64 MB', async () => {
  const many = Array.from(
    { length: 25_000 },
    (_, i): SentEntry => ({ ...one, cells: [cell(`row${i}`, 'f:q', 'v')] }),
  )
  await replicate(port, many)
  const value = 'v'.repeat(64 * 1024)
  const large = Array.from(
    { length: 1000 },
    (_, i): SentEntry => ({ ...one, cells: [cell(`x${i}`, 'g:q', value)] }),
  )
  await replicate(port, large)
  expect(batches.map(({ length }) => length)).toEqual([25_000, 1000])
})

/** A running HBase replicates to Tidegate: TIDEGATE_REAL_HBASE names the ports of the HBase, as zookeeper:PORT,... */

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { startTidegate, type Tidegate } from '../../../../src/library/start-tidegate.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { tag } from '../../../../src/model/cell-tags.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type RowOperation } from '../../../../src/model/mutation.ts'
import { ALL_VERSIONS, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import type { Upkeep } from '../../../../src/store/upkeep.ts'
import { ReplicationLoadSinkSchema } from '../../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { ReplicationPeerSchema } from '../../../../src/wire/rpc/gen/replication_pb.ts'
import { openLive, zookeeper } from '../../../adapters/hbase/live-store.ts'
import { openRpcStore } from '../../../harness/rpc-store.ts'
import { inTemporaryFolder } from '../../../harness/tidegate-process.ts'
import { append, increment } from '../../../store/suite/row-operations.ts'
import { bytes, cellText, NO_LIMITS } from '../../../store/suite/store-under-test.ts'
import { cell, replicate } from './replication/sent-entries.ts'

const TABLE = parseTableName(`replicated_${process.pid}`)
/** A table that only the source has. */
const GONE = parseTableName(`replicated_gone_${process.pid}`)
const PEER = `tidegate_${process.pid}`
const TAGGED: Call = { ...OWN_CALL, withTags: true }
const FAMILY: [string, string][] = [
  ['VERSIONS', '5'],
  ['REPLICATION_SCOPE', '1'],
]
const SOON = { timeout: 30_000, interval: 100 }

function descriptorOf(table: TableName): ReturnType<typeof tableDescriptor> {
  return tableDescriptor(table, [familyDescriptor('f', FAMILY), familyDescriptor('g', FAMILY)])
}

/** A peer as Java's ReplicationPeerConfig. Cells of HBase lose their tags on the way without the codec. */
function peerOf(clusterkey: string): Buffer {
  const configuration = [
    ['hbase.replication.rpc.codec', 'org.apache.hadoop.hbase.codec.KeyValueCodecWithTags'],
    ['hbase.replication.drop.on.deleted.table', 'true'],
    ['hbase.replication.drop.on.deleted.columnfamily', 'true'],
  ].map(([name, value]) => ({ name: name!, value: value! }))
  const message = create(ReplicationPeerSchema, { clusterkey, replicateAll: true, configuration })
  return Buffer.from(toBinary(ReplicationPeerSchema, message))
}

/** Every cell of the table, delete markers too, with its tags. */
async function cells(store: Store): Promise<string[]> {
  const all = scan({ maxVersions: ALL_VERSIONS, raw: true, withTags: true })
  const scanner = await openScanner(store, TABLE, all, TAGGED)
  const found: string[] = []
  try {
    for (;;) {
      const { results, ended } = await scanner.next(NO_LIMITS, TAGGED)
      for (const cell of cellsOf(gathered(results).cells))
        found.push(`${cellText(cell)} ${(cell.tags ?? bytes('')).toString('hex')}`)
      if (ended === 'scan') return found
    }
  } finally {
    await scanner.close()
  }
}

/** Of the rows that came through Tidegate in front of the cluster. */
function isOfFront(line: string): boolean {
  return /^(known|new)/.test(line)
}

describe.skipIf(zookeeper === undefined)('a live cluster replicates to Tidegate', { timeout: 90_000 }, () => {
  let source: Store
  let upkeep: Required<Upkeep>
  let tidegate: Tidegate
  let target: Store
  let removeFolder: () => void
  let isFolderGone: Promise<void>

  beforeAll(async () => {
    source = await openLive()
    upkeep = source.upkeep as Required<Upkeep>
    const folder = await new Promise<string>((made) => {
      isFolderGone = inTemporaryFolder(async (name) => {
        made(name)
        await new Promise<void>((resolve) => (removeFolder = resolve))
      })
    })
    tidegate = await startTidegate({ store: `native:${folder}`, rpc: 0, zookeeper: 0 })
    target = await openRpcStore(tidegate.ports.rpc!, {}, 'tester', '127.0.0.1', true)
    await source.catalog.createTable(descriptorOf(TABLE), [], OWN_CALL)
    await source.catalog.createTable(descriptorOf(GONE), [], OWN_CALL)
    await target.catalog.createTable(descriptorOf(TABLE), [bytes('m')], OWN_CALL)
    const config = peerOf(`127.0.0.1:${tidegate.ports.zookeeper}:/hbase`)
    await upkeep.peers.changePeer(PEER, { kind: 'ADD', config, isEnabled: true }, OWN_CALL)
  }, 90_000)

  afterAll(async () => {
    await upkeep.peers.changePeer(PEER, { kind: 'REMOVE' }, OWN_CALL)
    await drop(TABLE)
    await drop(GONE)
    await source.close()
    await target.close()
    await tidegate.stop()
    removeFolder()
    await isFolderGone
  }, 60_000)

  async function drop(table: TableName): Promise<void> {
    if (!(await source.catalog.tableExists(table, OWN_CALL))) return
    await source.catalog.disableTable(table, OWN_CALL)
    await source.catalog.deleteTable(table, OWN_CALL)
  }

  async function arrive(): Promise<void> {
    const expected = await cells(source)
    await vi.waitFor(async () => expect(await cells(target)).toEqual(expected), SOON)
  }

  async function write(batch: MutationBatch): Promise<void> {
    expect(await source.rows.mutate(TABLE, batch, TAGGED)).toEqual([])
  }

  async function changeRow(row: string, operation: RowOperation): Promise<void> {
    const change = { row: bytes(row), operations: [operation], options: DEFAULT_MUTATION_OPTIONS }
    await source.rows.mutateRow(TABLE, change, TAGGED)
  }

  test('puts, deletes of all kinds, increments, appends, lives and tags', async () => {
    const batch = new MutationBatch()
    for (let i = 0; i < 3000; i++)
      batch.put(bytes(`row${i}`), bytes('f'), bytes('q'), bytes(`value ${i}`)).endMutation()
    for (const time of [1n, 2n, 3n, 4n])
      batch.put(bytes('a'), bytes('f'), bytes('q'), bytes(`${time}`), time).endMutation()
    batch
      .put(bytes('b'), bytes('f'), bytes('q'), bytes('f'))
      .put(bytes('b'), bytes('g'), bytes(''), bytes('g'))
    batch.endMutation()
    batch.put(bytes('life'), bytes('f'), bytes('q'), bytes('v')).endMutation({
      ...DEFAULT_MUTATION_OPTIONS,
      ttlMs: 3_600_000,
    })
    const prefix = batch.cells.length
    batch.put(bytes('tagged'), bytes('f'), bytes('q'), Buffer.alloc(100_000, 'v'))
    batch.cells.appendTags(prefix, tag(65, bytes('own')))
    batch.endMutation()
    await write(batch)
    const deletes = new MutationBatch()
    deletes.deleteVersion(bytes('a'), bytes('f'), bytes('q'), 2n).endMutation()
    deletes.deleteColumn(bytes('a'), bytes('f'), bytes('q'), 1n).endMutation()
    deletes.deleteFamilyVersion(bytes('a'), bytes('f'), 3n).endMutation()
    deletes.deleteFamily(bytes('row1'), bytes('f')).endMutation()
    deletes.deleteRow(bytes('row2')).endMutation()
    deletes.deleteVersion(bytes('row3'), bytes('f'), bytes('q')).endMutation()
    await write(deletes)
    await changeRow('counter', increment('counter', 'f:n', 5n))
    await changeRow('counter', increment('counter', 'f:n', -7n))
    await changeRow('a', append('a', 'f:q', ' more'))
    await arrive()
    const [load] = (await target.upkeep.cluster!.status(OWN_CALL)).liveServers
    const { totalOpsProcessed, timeStampsOfLastAppliedOp, timestampStarted } = fromBinary(
      ReplicationLoadSinkSchema,
      load!.replication!.sink,
    )
    expect(totalOpsProcessed).toBeGreaterThan(0n)
    expect(timeStampsOfLastAppliedOp).toBeGreaterThan(timestampStarted)
  })

  test('changes of a table that neither has any more do not stop the others', async () => {
    const batch = new MutationBatch()
    batch.put(bytes('lost'), bytes('f'), bytes('q'), bytes('v')).endMutation()
    expect(await source.rows.mutate(GONE, batch, OWN_CALL)).toEqual([])
    await drop(GONE)
    const after = new MutationBatch()
    after.put(bytes('after'), bytes('f'), bytes('q'), bytes('v')).endMutation()
    await write(after)
    await arrive()
  })

  test('changes of a family that neither has any more do not stop the others', async () => {
    await target.catalog.modifyTable(tableDescriptor(TABLE, [familyDescriptor('f', FAMILY)]), OWN_CALL)
    const batch = new MutationBatch()
    batch.put(bytes('lost'), bytes('g'), bytes('q'), bytes('v')).endMutation()
    await write(batch)
    await source.catalog.modifyTable(tableDescriptor(TABLE, [familyDescriptor('f', FAMILY)]), OWN_CALL)
    const after = new MutationBatch()
    after.put(bytes('later'), bytes('f'), bytes('q'), bytes('v')).endMutation()
    await write(after)
    await arrive()
  })

  test('changes that come through Tidegate in front of the cluster keep the clusters that have them', async () => {
    const front = await startTidegate({ store: `hbase:127.0.0.1:${zookeeper}`, rpc: 0 })
    try {
      const tags = tag(65, bytes('own'))
      const known = { table: TABLE, cells: [cell('known', 'f:q', 'v', { tags })] }
      const ids = BigInt(`0x${(await target.clusterId()).replaceAll('-', '')}`)
      const key = {
        encodedRegionName: bytes('region'),
        tableName: bytes(TABLE),
        logSequenceNumber: 1n,
        writeTime: 1n,
        clusterIds: [{ mostSigBits: ids >> 64n, leastSigBits: BigInt.asUintN(64, ids) }],
      }
      const others = { table: TABLE, cells: [cell('new', 'f:q', 'v', { tags })] }
      await replicate(front.ports.rpc!, [{ ...known, more: { key } }, others])
      const text = (row: string): string => `${row}/f:q@5=v ${tags.toString('hex')}`
      expect((await cells(source)).filter(isOfFront)).toEqual([text('known'), text('new')])
      // The log has `known` before `new`, so it would have come by then.
      await vi.waitFor(
        async () => expect((await cells(target)).filter(isOfFront)).toEqual([text('new')]),
        SOON,
      )
    } finally {
      await front.stop()
    }
  })
})

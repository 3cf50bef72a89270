/** HBase's VerifyReplication between a server and the real HBase that it replicates to. */

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { create, toBinary } from '@bufbuild/protobuf'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { ReplicationPeerSchema } from '../../src/wire/rpc/gen/replication_pb.ts'
import { tableContents } from '../../test/harness/client-transcripts/table-contents.ts'
import { startServer, type TranscriptServer } from '../../test/harness/client-transcripts/transcript-tool.ts'
import { clusterKey, MAPREDUCE, type Programs } from './programs.ts'

const TABLE = 'replicated'
const PEER = '1'
const ROWS = 200
const WAIT_MS_MAX = 120_000
const [FAMILY, QUALIFIER] = [Buffer.from('f'), Buffer.from('q')]

/** Both ways to name the peer, with equal tables, and with one row of each kind of difference. */
export async function verifyReplication(
  programs: Programs,
  { store }: TranscriptServer,
  folder: string,
): Promise<void> {
  const { server: other, stop } = await startServer('real', join(folder, 'replicated-to'))
  try {
    for (const each of [store, other.store]) await createReplicated(each)
    await addPeer(store, other.zookeeper)
    await put(store, ...Array.from({ length: ROWS }, (_, i) => [rowAt(i), `value ${i}`] as const))
    await untilEqual(store, other.store)
    await verifyBoth(programs, '', other.zookeeper)
    await put(other.store, [rowAt(7), 'planted'], ['unknown', 'planted'])
    await deleteRow(other.store, rowAt(9))
    await verifyBoth(programs, ' with differences', other.zookeeper)
    await store.upkeep.peers!.changePeer(PEER, { kind: 'REMOVE' }, OWN_CALL)
  } finally {
    await stop()
  }
}

function rowAt(i: number): string {
  return `r${String(i).padStart(3, '0')}`
}

async function verifyBoth(programs: Programs, of: string, zookeeper: number): Promise<void> {
  const job = `${MAPREDUCE}replication.VerifyReplication`
  await programs.run(`VerifyReplication${of} by the peer's id`, job, PEER, TABLE)
  await programs.run(`VerifyReplication${of} by the cluster's key`, job, clusterKey(zookeeper), TABLE)
}

async function createReplicated({ catalog }: Store): Promise<void> {
  const family = familyDescriptor('f', [['REPLICATION_SCOPE', '1']])
  const table = tableDescriptor(parseTableName(TABLE), [family])
  await catalog.createTable(table, [Buffer.from(rowAt(100))], OWN_CALL)
}

async function addPeer({ upkeep }: Store, zookeeper: number): Promise<void> {
  const message = create(ReplicationPeerSchema, { clusterkey: clusterKey(zookeeper), replicateAll: true })
  const config = Buffer.from(toBinary(ReplicationPeerSchema, message))
  await upkeep.peers!.changePeer(PEER, { kind: 'ADD', config, isEnabled: true }, OWN_CALL)
}

async function put({ rows }: Store, ...cells: readonly (readonly [string, string])[]): Promise<void> {
  const batch = new MutationBatch()
  for (const [row, value] of cells)
    batch.put(Buffer.from(row), FAMILY, QUALIFIER, Buffer.from(value)).endMutation()
  await apply(rows, batch)
}

async function deleteRow({ rows }: Store, row: string): Promise<void> {
  const batch = new MutationBatch().deleteRow(Buffer.from(row))
  batch.endMutation()
  await apply(rows, batch)
}

async function apply(rows: Store['rows'], batch: MutationBatch): Promise<void> {
  const [failure] = await rows.mutate(parseTableName(TABLE), batch, OWN_CALL)
  if (failure !== undefined) throw failure.error
}

async function untilEqual(source: Store, target: Store): Promise<void> {
  const wanted = await tableContents(TABLE, source)
  for (const end = Date.now() + WAIT_MS_MAX; (await tableContents(TABLE, target)) !== wanted; ) {
    if (Date.now() > end) throw new Error(`not all rows have come to the peer after ${WAIT_MS_MAX} ms`)
    await pause(200)
  }
}

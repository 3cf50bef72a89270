/**
 * The cost of Kerberos: `npm run bench:kerberos [-- PART]`. It starts a KDC of its own (`npm run test:kerberos` has its needs).
 *
 * The part `doors`: Tidegate on its engine, without logins and with each protection at its doors. The part `cluster` (needs Java and Maven):
 * Tidegate in front of a real HBase without Kerberos, and of a secured one with each protection of native RPC, beside HBase's own REST and Thrift
 * servers there. Without a part: both, one after the other. `-- PART NAME`: only works whose names contain NAME.
 *
 * All servers have rounds in turn, and the medians count: processor time of the process at the door for a call, a row or a login, and in brackets
 * how many times that without Kerberos it is. Native RPC is asked at Tidegate and at HBase's own servers; its clients have the same protection.
 *
 * TIDEGATE_BENCH_ROUND_MS is the time of a round, TIDEGATE_BENCH_ROUNDS the number of rounds.
 */

import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { ChildServer } from '../../test/harness/child-server.ts'
import { missingTools } from '../../test/harness/real-hbase/jars.ts'
import { BenchRealm } from './bench-realm.ts'
import { type BenchedServer, openNativeClient } from './benched-server.ts'
import { Clusters } from './cluster-servers.ts'
import { compare } from './comparison.ts'
import { startDoorServers } from './door-servers.ts'
import { TABLE, WORKS, type Work } from './works.ts'

const TOGETHER = 1000

/** Makes the table of the works, and its rows, which then lie in a file. */
async function fill(server: BenchedServer): Promise<void> {
  const store = await openNativeClient(server)
  try {
    const name = parseTableName(TABLE.name)
    await store.catalog.createTable(tableDescriptor(name, [familyDescriptor('f')]), [], OWN_CALL)
    const value = Buffer.alloc(TABLE.valueBytes, 'v')
    for (let from = 0; from < TABLE.rows.length; from += TOGETHER) {
      const batch = new MutationBatch()
      for (const row of TABLE.rows.slice(from, from + TOGETHER))
        batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), value).endMutation()
      const [failure] = await store.rows.mutate(name, batch, OWN_CALL)
      if (failure !== undefined) throw failure.error
    }
    await store.upkeep.flushes!.flushTable(name, OWN_CALL)
  } finally {
    await store.close()
  }
}

/** REST's logins have no protection of messages, and Thrift knows no AES of HBase. */
function isOfDoors({ door }: Work, { kind }: BenchedServer): boolean {
  if (door === 'rest') return kind.protection === undefined || kind.name === 'authentication'
  return door === 'rpc' || !kind.asksForAes
}

async function compareDoors(realm: BenchRealm, works: readonly Work[]): Promise<readonly Error[]> {
  const processes: ChildServer[] = []
  try {
    const servers = await startDoorServers(realm, (process) => processes.push(process))
    for (const server of servers) await fill(server)
    process.stdout.write('Tidegate on its engine, with a protection at its doors\n\n')
    return await compare(works, servers, isOfDoors)
  } finally {
    for (const each of processes) await each.stop()
  }
}

async function compareClusters(realm: BenchRealm, works: readonly Work[]): Promise<readonly Error[]> {
  const missing = missingTools()
  if (missing.length > 0) throw new Error(`this machine has no ${missing.join(' and no ')}`)
  const clusters = new Clusters()
  try {
    await clusters.start(realm)
    const { servers } = clusters
    const hbases = servers.filter(({ owner }) => owner === 'HBase')
    // The secured servers are gateways of one cluster.
    for (const server of hbases.slice(0, 2)) await fill(server)
    process.stdout.write('In front of HBase, with a protection of native RPC\n\n')
    return await compare(works, servers)
  } finally {
    await clusters.stop()
  }
}

const PARTS = { doors: compareDoors, cluster: compareClusters }

async function main(): Promise<number> {
  const [part, only = ''] = process.argv.slice(2)
  const chosen = Object.entries(PARTS).filter(([name]) => part === undefined || name === part)
  const works = WORKS.filter(({ name }) => name.includes(only))
  if (chosen.length === 0 || works.length === 0) {
    const [parts, names] = [Object.keys(PARTS).join(' or '), WORKS.map(({ name }) => name).join(', ')]
    process.stderr.write(
      `npm run bench:kerberos -- PART NAME: PART is ${parts}, NAME a part of one of: ${names}\n`,
    )
    return 2
  }
  const realm = await BenchRealm.start()
  try {
    const errors: Error[] = []
    for (const [, run] of chosen) errors.push(...(await run(realm, works)))
    for (const { message } of errors) process.stderr.write(`${message}\n`)
    return errors.length === 0 ? 0 : 1
  } finally {
    await realm.close()
  }
}

process.exitCode = await main()

/** The commands of replication, as HBase's shell answers them on a real HBase 2.6.1. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseTableName } from '../../src/model/table-name.ts'
import { openShellOnServer, type ShellOnServer } from '../shell/shell-on-server.ts'
import { cellsIn, Server } from './two-servers.ts'

let shell: ShellOnServer
let folder: string
const peer = new Server()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shell-'))
  await peer.start()
  shell = await openShellOnServer(`native:${folder}`)
})

afterAll(async () => {
  await shell.close()
  await peer.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The lines that the commands print, without prompts, times and hints of usage. */
async function printed(...commands: readonly string[]): Promise<string[]> {
  const { output } = await shell.run(commands)
  return output.split('\n').filter((line) => !/^(?:hbase:|Took |=> |For usage|Usage: |\s*$)/.test(line))
}

test('tables of a peer are joined and removed family by family', async () => {
  const tables = `TABLE_CFS => {'rt' => ['f'], 'ns:x' => []}`
  expect(
    await printed(
      `add_peer '2', CLUSTER_KEY => '${peer.clusterKey}', ${tables}`,
      `append_peer_tableCFs '2', {'rt' => ['g'], 'rt2' => []}`,
      `show_peer_tableCFs '2'`,
      `remove_peer_tableCFs '2', {'rt' => ['g']}`,
      `remove_peer_tableCFs '2', {'zz' => ['g']}`,
      `remove_peer_tableCFs '2', {'rt' => []}`,
      `remove_peer_tableCFs '2', {'rt2' => ['f']}`,
      `show_peer_tableCFs '2'`,
      `set_peer_tableCFs '2', {'q' => ['f']}`,
      `set_peer_namespaces '2', ['n2']`,
      `set_peer_bandwidth '2', 1000`,
      `set_peer_serial '2', true`,
      `list_peers`,
      `remove_peer '2'`,
    ),
  ).toEqual([
    'default.rt:f,g;ns.x;default.rt2',
    'ERROR: No table: zz in table-cfs config of peer: 2',
    'ERROR: Cannot remove table: rt which has specified cfs from table-cfs config in peer: 2',
    "ERROR: Cannot remove cf of table: rt2 which doesn't specify cfs from table-cfs config in peer: 2",
    'default.rt:f;ns.x;default.rt2',
    ' PEER_ID CLUSTER_KEY ENDPOINT_CLASSNAME STATE REPLICATE_ALL NAMESPACES TABLE_CFS BANDWIDTH SERIAL',
    ` 2 ${peer.clusterKey}  ENABLED false n2 default.q:f 1000 true`,
    '1 row(s)',
  ])
})

test('a table is replicated once each peer has it, with equal families', async () => {
  expect(
    await printed(
      `create 'rt', 'f', {NAME => 'g', REPLICATION_SCOPE => 1}`,
      `enable_table_replication 'nope'`,
      `enable_table_replication 'rt'`,
      `add_peer '1', CLUSTER_KEY => '${peer.clusterKey}'`,
      `enable_table_replication 'rt'`,
      `list_replicated_tables`,
      `put 'rt', 'r', 'f:q', 'v'`,
    ),
  ).toEqual([
    'Created table rt',
    'ERROR: Unknown table nope!',
    'ERROR: Found no peer cluster for replication.',
    "The replication of table 'rt' successfully enabled",
    'TABLE:COLUMNFAMILY  ReplicationType',
    ' rt:f GLOBAL',
    ' rt:g GLOBAL',
    '2 row(s)',
  ])
  const table = parseTableName('rt')
  await peer.has(await cellsIn(shell.store, table), table)
})

test('refusals of peers name the form of a key, and the znode that is missing', async () => {
  const noSuch = peer.clusterKey.replace('/hbase', '/hbas')
  expect(
    await printed(
      `add_peer '3', '${peer.clusterKey}'`,
      `add_peer '3', CLUSTER_KEY => '127.0.0.1:2181'`,
      `add_peer '3', CLUSTER_KEY => '${noSuch}'`,
    ),
  ).toEqual([
    "ERROR: args must be a Hash: CLUSTER_KEY => 'HOSTS:PORT:/ZNODE'",
    'ERROR: Invalid cluster key: 127.0.0.1:2181: it must be HOSTS:PORT:/ZNODE',
    `ERROR: Can't get peerClusterId for clusterKey=${noSuch}: ZooKeeper has no znode /hbas/hbaseid: is the master up, and is /hbas its zookeeper.znode.parent?`,
  ])
})

test('peers are not changed while their switch is off', async () => {
  expect(
    await printed(
      `peer_modification_enabled`,
      `peer_modification_switch false, true`,
      `peer_modification_enabled`,
      `peer_modification_switch true`,
    ),
  ).toEqual([
    'true',
    'Previous peer modification state : true',
    'false',
    'Previous peer modification state : false',
  ])
})

/** The switch of a table's replication: the scopes of its families, once each peer has the table. HBase: RawAsyncHBaseAdmin. */

import { type FamilyDescriptor, type TableDescriptor, withFamilies } from '../../model/descriptor.ts'
import { HBaseError } from '../../model/errors.ts'
import type { TableName } from '../../model/table-name.ts'
import { isTableWanted, type Peer, readPeer } from '../../store/peer-description.ts'
import type { Store } from '../../store/store.ts'
import { tableOf } from '../arguments/argument-values.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { beyondReach, refuse } from '../output/shell-error.ts'
import type { Value } from '../ruby/values.ts'

const SCOPE = 'REPLICATION_SCOPE'
const [LOCAL, GLOBAL] = ['0', '1']

export const TABLE_REPLICATION_COMMANDS: readonly ShellCommand[] = [
  { name: 'enable_table_replication', min: 1, max: 1, run: enable },
  { name: 'disable_table_replication', min: 1, max: 1, run: disable },
]

async function enable(context: CommandContext, [table]: readonly Value[]): Promise<void> {
  const name = tableOf(table)
  const descriptor = await known(context, name)
  const { upkeep } = context.store
  const peers = (await upkeep.peers?.listPeers(context.call)) ?? []
  if (peers.length === 0) refuse('Found no peer cluster for replication.')
  for (const peer of peers.map(readPeer))
    if (isTableWanted(peer.choice, name)) await makeAtPeer(context, descriptor, peer)
  await setScope(context, descriptor, GLOBAL)
  context.out.line(`The replication of table '${name}' successfully enabled`)
}

async function disable(context: CommandContext, [table]: readonly Value[]): Promise<void> {
  const name = tableOf(table)
  await setScope(context, await known(context, name), LOCAL)
  context.out.line(`Replication of table '${name}' successfully disabled.`)
}

async function known({ store, call }: CommandContext, name: TableName): Promise<TableDescriptor> {
  if (!(await store.catalog.tableExists(name, call)))
    throw new HBaseError('TABLE_NOT_FOUND', `Table '${name}' does not exists.`)
  return store.catalog.table(name, call)
}

/** Makes the table where the peer lacks it, with the same regions. Throws where the peer has another table of the name. */
async function makeAtPeer(context: CommandContext, own: TableDescriptor, peer: Peer): Promise<void> {
  const { store, call, openCluster } = context
  const { name } = own
  const other: Store =
    (await openCluster?.(peer.clusterKey)) ?? beyondReach('this shell cannot reach the peers of the cluster')
  try {
    if (!(await other.catalog.tableExists(name, call))) {
      const regions = await store.catalog.regions(name, call)
      const keys = regions.map(({ startKey }) => startKey).filter((key) => key.length > 0)
      await other.catalog.createTable(own, keys, call)
    } else if (comparable(await other.catalog.table(name, call)) !== comparable(own)) {
      refuse(
        `Table ${name} exists in peer cluster ${peer.id}, but the table descriptors are not same when compared with source cluster. Thus can not enable the table's replication switch.`,
      )
    }
  } finally {
    await other.close()
  }
}

/** The table without scopes, as text. HBase: TableDescriptor.COMPARATOR_IGNORE_REPLICATION. */
function comparable({ attributes, families }: TableDescriptor): string {
  const of = families.map((family) => [family.name.toString('latin1'), sorted(family.attributes)])
  return JSON.stringify([sorted(attributes), of])
}

function sorted(attributes: ReadonlyMap<string, string>): [string, string][] {
  return [...attributes].filter(([key]) => key !== SCOPE).sort(([a], [b]) => (a < b ? -1 : 1))
}

async function setScope(
  { store, call }: CommandContext,
  table: TableDescriptor,
  scope: string,
): Promise<void> {
  if (table.families.every(({ attributes }) => (attributes.get(SCOPE) ?? LOCAL) === scope)) return
  const families = table.families.map((family): FamilyDescriptor => {
    return { ...family, attributes: new Map([...family.attributes, [SCOPE, scope]]) }
  })
  await store.catalog.modifyTable(withFamilies(table, families), call)
}

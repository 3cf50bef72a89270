/** Empties a store for the next test: removes tables, namespaces and snapshots, and turns switches back. */

import { DEFAULT_NAMESPACE, SYSTEM_NAMESPACE } from '../../../model/table-name.ts'
import { OWN_CALL } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import type { SwitchName } from '../../../store/upkeep.ts'
import type { Seed } from './seed.ts'

const SWITCHES: readonly SwitchName[] = [
  'balancer',
  'normalizer',
  'catalogJanitor',
  'cleanerChore',
  'snapshotCleanup',
  'split',
  'merge',
  'rpcThrottle',
  'peerModification',
]

export async function emptyStore({ catalog, upkeep }: Store): Promise<void> {
  const { snapshots, switches } = upkeep
  if (snapshots !== undefined)
    for (const { name } of await snapshots.listSnapshots(OWN_CALL))
      await snapshots.deleteSnapshot(name, OWN_CALL)
  for (const { name } of await catalog.listTables(OWN_CALL)) {
    if ((await catalog.tableState(name, OWN_CALL)) !== 'DISABLED') await catalog.disableTable(name, OWN_CALL)
    await catalog.deleteTable(name, OWN_CALL)
  }
  for (const { name } of await catalog.listNamespaces(OWN_CALL))
    if (name !== DEFAULT_NAMESPACE && name !== SYSTEM_NAMESPACE) await catalog.deleteNamespace(name, OWN_CALL)
  if (switches !== undefined) for (const name of SWITCHES) await switches.turn(name, true, OWN_CALL)
}

/** Puts the seed into the store. Throws errors of the catalog, and that of the first row that the store refuses. */
export async function plantSeed({ catalog, rows }: Store, { namespaces, tables }: Seed): Promise<void> {
  for (const name of namespaces) await catalog.createNamespace({ name, properties: new Map() }, OWN_CALL)
  for (const { descriptor, splitKeys, rows: batch } of tables) {
    await catalog.createTable(descriptor, splitKeys, OWN_CALL)
    const [failure] = await rows.mutate(descriptor.name, batch, OWN_CALL)
    if (failure !== undefined) throw failure.error
  }
}

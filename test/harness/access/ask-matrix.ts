/** Asks a server every operation as everybody. */

import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import {
  DISABLED,
  FAMILY,
  NAMESPACE,
  NEIGHBOUR,
  PEOPLE,
  PERMISSIONS,
  QUALIFIER,
  SUPERUSER,
  TABLE,
} from './people.ts'

/** By operation, then by user, what was answered. */
export type Matrix = Readonly<Record<string, Readonly<Record<string, string>>>>

/** `open`: a client of native RPC whose user that is. */
export async function askMatrix(open: (user: string) => Promise<Store>): Promise<Matrix> {
  const superuser = await open(SUPERUSER)
  try {
    await prepareMatrix(superuser)
  } finally {
    await superuser.close()
  }
  return askPrepared(open)
}

/** As askMatrix, where all that is asked for is there: through any door. */
export async function askPrepared(
  open: (user: string) => Promise<Store>,
  operations: Readonly<Record<string, Operation>> = OPERATIONS,
): Promise<Matrix> {
  const clients = new Map<string, Store>()
  for (const person of PEOPLE) clients.set(person, await open(person))
  try {
    const matrix: Record<string, Record<string, string>> = {}
    for (const [name, operation] of Object.entries(operations)) {
      const answers: Record<string, string> = {}
      for (const person of PEOPLE) answers[person] = await answerOf(() => operation(clients.get(person)!))
      matrix[name] = answers
    }
    return matrix
  } finally {
    for (const client of clients.values()) await client.close()
  }
}

/** Makes what is asked for, as the superuser. */
export async function prepareMatrix({ catalog, rows, upkeep }: Store): Promise<void> {
  await catalog.createNamespace({ name: NAMESPACE, properties: new Map() }, OWN_CALL)
  const families = [FAMILY, NEIGHBOUR].map((name) => familyDescriptor(name.toString()))
  await catalog.createTable(tableDescriptor(TABLE, families), [Buffer.from('m')], OWN_CALL)
  await catalog.createTable(tableDescriptor(DISABLED, families), [], OWN_CALL)
  await catalog.disableTable(DISABLED, OWN_CALL)
  const batch = new MutationBatch()
  const row = Buffer.from('r')
  for (const family of [FAMILY, NEIGHBOUR])
    for (const qualifier of [QUALIFIER, Buffer.from('p')]) batch.put(row, family, qualifier, Buffer.from('v'))
  batch.endMutation()
  await rows.mutate(TABLE, batch, OWN_CALL)
  await upkeep.snapshots!.createSnapshot('owned', TABLE, 'SKIPFLUSH', OWN_CALL)
  await upkeep.snapshots!.createSnapshot('kept', TABLE, 'SKIPFLUSH', OWN_CALL)
  for (const permission of PERMISSIONS) await upkeep.permissions!.grant(permission, false, OWN_CALL)
}

/** A denial in its own words; of other refusals the code alone, since they differ in their words. */
async function answerOf(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask()
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return error.code === 'ACCESS_DENIED' ? `denied: ${error.message}` : error.code
  }
}

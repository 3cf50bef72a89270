/** Labels are compared by their names, between servers that number them differently. */

import { afterEach, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { type LabelledServer, startLabelledServer } from '../../gateway/policies/labels/labelled-server.ts'
import { visibility } from '../../harness/labels/asking.ts'
import { SUPERUSER } from '../../harness/labels/people.ts'
import { T, verified } from './two-stores.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

async function serverWith(labels: readonly string[]): Promise<LabelledServer> {
  const server = await startLabelledServer('memory')
  open.push(server)
  await server.store.upkeep.labels!.addLabels(
    labels.map((label) => Buffer.from(label)),
    OWN_CALL,
  )
  await server.store.catalog.createTable(tableDescriptor(T, [familyDescriptor('f')]), [], OWN_CALL)
  return server
}

async function put({ rows }: Store, row: string, expression: string): Promise<void> {
  const batch = new MutationBatch()
  batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from('v'), 1n)
  batch.endMutation(visibility(expression))
  const call = { ...OWN_CALL, isOwn: false, principal: { user: SUPERUSER } }
  expect(await rows.mutate(T, batch, call)).toEqual([])
}

async function clientOf(server: LabelledServer, user: string): Promise<Store> {
  const client = await server.openCopier(user)
  open.push(client)
  return client
}

test('a cell with the same labels is equal, and one with others differs', async () => {
  const [from, to] = [await serverWith(['a', 'b', 'c']), await serverWith(['c', 'x', 'b', 'a'])]
  for (const { store } of [from, to]) {
    await put(store, 'r1', 'a&!b')
    await put(store, 'r2', 'c|(a&b)')
  }
  await put(from.store, 'r3', 'a')
  // In the order of the other server this label has the number that `a` has here.
  await put(to.store, 'r3', 'c')
  const [source, target] = [await clientOf(from, SUPERUSER), await clientOf(to, SUPERUSER)]
  for (const raw of [false, true])
    expect(await verified(source, target, { raw })).toMatchObject({
      differences: ['r3 f:q 1 4 tags'],
      warnings: [],
    })
})

test('a user who sees no names of labels compares the cells without them, and is warned', async () => {
  const [from, to] = [await serverWith(['a']), await serverWith(['x', 'a'])]
  for (const { store } of [from, to]) {
    await put(store, 'r1', 'a')
    await store.upkeep.labels!.setAuths(Buffer.from('reader'), [Buffer.from('a')], OWN_CALL)
  }
  const found = await verified(await clientOf(from, 'reader'), await clientOf(to, 'reader'))
  expect(found.sums).toMatchObject([{ rows: 1, rowsDiffering: 0 }])
  expect(found.warnings).toEqual([
    't: cells have labels whose names one of both does not show to this user: those labels are not compared',
  ])
})

test('a cell that has lost its labels differs, also where their names are hidden', async () => {
  const [from, to] = [await serverWith(['a']), await serverWith(['a'])]
  await put(from.store, 'r1', 'a')
  await from.store.upkeep.labels!.setAuths(Buffer.from('reader'), [Buffer.from('a')], OWN_CALL)
  const batch = new MutationBatch()
  batch.put(Buffer.from('r1'), Buffer.from('f'), Buffer.from('q'), Buffer.from('v'), 1n).endMutation()
  expect(await to.store.rows.mutate(T, batch, OWN_CALL)).toEqual([])
  for (const user of ['reader', SUPERUSER])
    expect((await verified(await clientOf(from, user), await clientOf(to, user))).differences).toEqual([
      'r1 f:q 1 4 tags',
    ])
})

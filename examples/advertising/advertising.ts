/** Stores the hierarchy, and asks what an advertising system asks of it. */

import type { ExampleServer } from '../shared/example-server.ts'
import { makeWay } from '../shared/make-way.ts'
import { runParts } from '../shared/parts.ts'
import type { Report } from '../shared/report.ts'
import { AdTables } from './ad-tables.ts'
import { ADS_PER_ADVERTISER, hierarchy } from './hierarchy.ts'
import { createWithRegions } from './many-regions.ts'
import { PATTERNS } from './patterns.ts'
import { FAMILY, INDEX_TABLES, NAMESPACE, TABLES } from './tables.ts'

export interface AdvertisingOptions {
  /** Is rounded up to whole advertisers, two at least. */
  readonly ads: number
  /** Of the table of ads. */
  readonly regions: number
  readonly replace: boolean
}

const DAY = 86_400_000

export async function advertising(
  server: ExampleServer,
  names: readonly string[],
  { ads: wanted, regions, replace }: AdvertisingOptions,
  report: Report,
): Promise<void> {
  const ads = Math.max(2, Math.ceil(wanted / ADS_PER_ADVERTISER)) * ADS_PER_ADVERTISER
  const tables = new AdTables(server.host, server.ports.rest)
  // Two days ago: old enough for changes since then, young enough for the tables' TTL.
  const storedAt = Date.now() - 2 * DAY

  report.heading(`load: ${ads} ads and what belongs to them`)
  await makeWay(tables.client, [...Object.values(TABLES), ...Object.values(INDEX_TABLES)], replace)
  await tables.client.createNamespace(NAMESPACE)
  if (regions > 1) await createWithRegions(server, ads, regions, report)
  for (const name of Object.values(TABLES)) {
    if (regions === 1 || name !== TABLES.ad) await tables.of(name).create([FAMILY])
  }
  await report.timed(
    (count) => `${count} rows of ${Object.keys(TABLES).length} tables`,
    () => tables.store(hierarchy(ads), storedAt),
  )
  await runParts(PATTERNS, names, { server, tables, ads, storedAt, report })
}

/** A server with data as users have it: many rows, binary keys, a very wide row, sixty regions in a table, and a damaged store file. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { openStore } from '../../src/cli/stores/open-store.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { b64, ConsoleClient } from '../doors/web/console-client.ts'
import { loadCities } from '../harness/demo/cities.ts'

const ROWS_PER_BATCH = 2000
const STARTED_AT = Date.UTC(2026, 0, 1)
/** Columns of the widest row. */
export const WIDE_COLUMNS = 20_000

interface Row {
  readonly row: Buffer
  readonly cells: readonly (readonly [string, Buffer | string])[]
}

interface Filled {
  readonly name: string
  readonly families: readonly (readonly [string, readonly (readonly [string, string])[]])[]
  readonly splits?: readonly Buffer[]
  readonly rows: Iterable<Row>
}

/** Starts the server on a new folder. The caller stops it, and removes the folder. */
export async function startShownServer(folder: string, cities = 100_000): Promise<ConsoleClient> {
  const store = await openStore({ kind: 'native', directory: folder, options: {} }, pino({ level: 'silent' }))
  for (const table of [citiesTable(cities), metrics(), sensors(), orders()]) await fill(store, table)
  await store.close()
  damageOrders(folder)
  const client = await ConsoleClient.start({ store: `native:${folder}`, consoleWrites: true, slowLogMs: 0 })
  // The server finds damage when it reads.
  for (const start of ['order-00000', 'order-10000'])
    await client.read('rows', [
      ['table', 'orders'],
      ['start', b64(start)],
      ['rows', '500'],
    ])
  return client
}

async function fill(store: Store, { name, families, splits = [], rows }: Filled): Promise<void> {
  const table = parseTableName(name)
  const described = families.map(([family, attributes]) => familyDescriptor(family, attributes))
  await store.catalog.createTable(tableDescriptor(table, described), splits, OWN_CALL)
  let batch = new MutationBatch()
  const write = async (): Promise<void> => {
    const [failure] = await store.rows.mutate(table, batch, OWN_CALL)
    if (failure !== undefined) throw failure.error
    batch = new MutationBatch()
  }
  for (const { row, cells } of rows) {
    for (const [column, value] of cells) {
      const [family = '', qualifier = ''] = column.split(':')
      batch.put(row, Buffer.from(family), Buffer.from(qualifier), Buffer.from(value))
    }
    batch.endMutation()
    if (batch.length === ROWS_PER_BATCH) await write()
  }
  await write()
  await store.upkeep.flushes?.flushTable(table, OWN_CALL)
}

function citiesTable(count: number): Filled {
  const versions = [['VERSIONS', '10']] as const
  return {
    name: 'cities',
    families: [
      ['f', [['COMPRESSION', 'ZSTD']]],
      ['p', versions],
    ],
    splits: ['CN', 'ES', 'IN', 'NG', 'US'].map((country) => Buffer.from(country)),
    // The package has them by country, and Switzerland is shown.
    rows: loadCities().filter(({ country }, index) => index < count || country === 'CH'),
  }
}

/** Points as OpenTSDB keeps them: salt, metric, hour and tags as bytes, a column for each time within the hour. */
function metrics(): Filled {
  const splits = Array.from({ length: 59 }, (_, index) => Buffer.from([index + 1]))
  return { name: 'metrics', families: [['t', []]], splits, rows: points() }
}

function* points(): Iterable<Row> {
  for (let salt = 0; salt < 60; salt++) {
    // Some regions are larger than others, as in every table.
    const hours = 4 + ((salt * salt * 7) % 90)
    for (let hour = 0; hour < hours; hour++) {
      const row = Buffer.alloc(14)
      row.writeUInt8(salt)
      row.writeUIntBE(1 + (salt % 5), 1, 3)
      row.writeUInt32BE(STARTED_AT / 1000 + hour * 3600, 4)
      row.writeUIntBE(1, 8, 3)
      row.writeUIntBE(salt % 7, 11, 3)
      const cells = Array.from({ length: 12 }, (_, index): readonly [string, Buffer] => {
        const value = Buffer.alloc(8)
        value.writeDoubleBE(20 + 5 * Math.sin((hour * 12 + index) / 40))
        return [`t:${String(index * 300).padStart(4, '0')}`, value]
      })
      yield { row, cells }
    }
  }
}

/** Rows whose columns differ, with one of very many. */
function sensors(): Filled {
  const wide: Row['cells'] = Array.from({ length: WIDE_COLUMNS }, (_, index) => [
    `d:reading-${String(index).padStart(5, '0')}`,
    (20 + Math.sin(index / 50) * 5).toFixed(3),
  ])
  const rows = ['attic', 'basement', 'garage', 'kitchen'].map((place, index) => ({
    row: Buffer.from(place),
    cells: [
      ['d:model', index % 2 === 0 ? 'BME280' : 'SHT41'],
      ['d:settings', JSON.stringify({ intervalSeconds: 60 * (index + 1), unit: '°C', alarms: [5, 35] })],
      ['d:serial', Buffer.from([0x00, 0x1f, 0xa9, index])],
    ] as const,
  }))
  return {
    name: 'sensors',
    families: [['d', []]],
    rows: [...rows, { row: Buffer.from('history/attic'), cells: wide }],
  }
}

function orders(): Filled {
  const states = ['paid', 'packed', 'sent', 'returned']
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    row: Buffer.from(`order-${String(index).padStart(5, '0')}`),
    cells: [
      ['f:customer', `customer-${(index * 7919) % 1000}`],
      ['f:state', states[index % 4]!],
      ['f:total', (((index * 37) % 9000) / 100 + 5).toFixed(2)],
    ] as const,
  }))
  const splits = ['order-05000', 'order-10000', 'order-15000'].map((row) => Buffer.from(row))
  return { name: 'orders', families: [['f', []]], splits, rows }
}

/** Changes bytes in the second block of the file with the table's first rows, and cuts the file of another region. */
function damageOrders(folder: string): void {
  const table = join(folder, 'data', 'default', 'orders')
  for (const region of readdirSync(table)) {
    const family = join(table, region, 'f')
    for (const name of readdirSync(family)) {
      const path = join(family, name)
      const bytes = readFileSync(path)
      if (bytes.includes('order-00000')) writeFileSync(path, bytes.fill(0xff, 70_000, 70_010))
      if (bytes.includes('order-10000')) writeFileSync(path, bytes.subarray(0, -100))
    }
  }
}

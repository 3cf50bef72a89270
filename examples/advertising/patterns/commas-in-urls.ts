/** In a path of HBase's REST a bare comma separates the ends of a range of rows; one within a key is `%2C`. */

import { COLUMN, key, TABLES } from '../tables.ts'
import type { Pattern } from './pattern.ts'

const KEYS_SHOWN = 6

interface RowsAsJson {
  readonly Row: readonly { readonly key: string }[]
}

function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, KEYS_SHOWN).join('  ')
  return keys.length > KEYS_SHOWN ? `${shown} and ${keys.length - KEYS_SHOWN} more` : shown
}

export const commasInUrls: Pattern = {
  question: 'What does a comma mean in a URL?',
  run: async ({ tables, report }) => {
    const ask = (row: string): Promise<string[]> => {
      const path = `/${TABLES.campaign}/${row}/${COLUMN}`
      return report.timed(
        (keys) => `GET ${path}: ${listed(keys)}`,
        async () => {
          const { Row } = (await tables.client.get(path)) as RowsAsJson
          return Row.map((row) => Buffer.from(row.key, 'base64').toString())
        },
      )
    }
    const range = await ask('1,2')
    const row = await ask('1%2C2')
    const prefix = await ask('1%2C*')
    const between = (await tables.of(TABLES.campaign).scan({ startRow: '1', endRow: '2' })).map(
      ({ key }) => key,
    )
    report.check('1,2 is the range of rows from 1 to before 2', range, between)
    report.check('1%2C2 is the row of campaign 2', row, [key(1, 2)])
    report.check(
      '1%2C* is the prefix of advertiser 1',
      prefix,
      [1, 2, 3, 4].map((campaign) => key(1, campaign)),
    )
    const [byPackage] = await tables.of(TABLES.campaign).get(key(1, 2))
    report.check('the npm package encodes commas of keys by itself', byPackage?.key, key(1, 2))
  },
}

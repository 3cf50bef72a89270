/** OpenTSDB's tables, and the UIDs that stand for names in its keys, over REST. */

import { RestClient, type RestTable } from '../shared/rest-table.ts'
import { uint32 } from './row-format.ts'

/** As OpenTSDB's own script makes them. */
export const TSDB_TABLES: Readonly<Record<string, readonly string[]>> = {
  'tsdb-uid': ['id', 'name'],
  tsdb: ['t'],
  'tsdb-tree': ['t'],
  'tsdb-meta': ['name'],
}

export type UidKind = 'metrics' | 'tagk' | 'tagv'

/** The row that counts the UIDs of each kind. */
const COUNTER_ROW = '\0'

export class TsdbTables {
  readonly points: RestTable
  readonly #client: RestClient
  readonly #uids: RestTable

  constructor(host: string, port: number) {
    this.#client = new RestClient(host, port, 'latin1')
    this.points = this.#client.table('tsdb')
    this.#uids = this.#client.table('tsdb-uid')
  }

  async create(): Promise<void> {
    for (const [name, families] of Object.entries(TSDB_TABLES)) {
      await this.#client.table(name).create(families.map((family) => ({ name: family, VERSIONS: '1' })))
    }
  }

  /**
   * Gives each name a UID, and stores both ways. One program alone may do so: HBase's REST increments at once, but does not tell the
   * new value, so that it must be read.
   */
  async assign(kind: UidKind, names: readonly string[]): Promise<void> {
    const column = `id:${kind}`
    // A URL cannot have the byte 0, not even as %00: the row is in base64.
    await this.#client.put('/tsdb-uid/AA?e=b64&check=increment', {
      Row: [
        { key: base64(COUNTER_ROW), Cell: [{ column: base64(column), $: base64(String(names.length)) }] },
      ],
    })
    const [counter] = await this.#uids.scan({ startRow: COUNTER_ROW, endRow: '\0\0', column: [column] })
    const last = Number(Buffer.from(counter!.$, 'latin1').readBigInt64BE())
    const cells = names.flatMap((name, i) => {
      const uid = uint32(last - names.length + 1 + i).slice(1)
      return [
        { key: uid, column: `name:${kind}`, $: name },
        { key: name, column, $: uid },
      ]
    })
    await this.#uids.put(cells)
  }

  /** The UIDs of all names of a kind. */
  async uids(kind: UidKind): Promise<ReadonlyMap<string, string>> {
    const cells = await this.#uids.scan({ column: [`id:${kind}`] })
    return new Map(cells.filter(({ key }) => key !== COUNTER_ROW).map(({ key, $ }) => [key, $]))
  }
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64')
}

/** The names of UIDs. */
export function inverted(uids: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...uids].map(([name, uid]) => [uid, name]))
}

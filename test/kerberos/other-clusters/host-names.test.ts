/**
 * A real HBase with a region server at a second address, each server with a principal of its own host: hbase/_HOST is another principal at each. The
 * address stands for a second host name, since a test cannot name hosts of its machine.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceKeytab } from '../../harness/kerberos/service-keytab.ts'
import { createTable, get, OtherCluster, put, START_MS_MAX, scan } from './clusters.ts'

const RUN_MS_MAX = 120_000
const SECOND_HOST = '127.0.0.2'
const TABLES = ['one', 'two', 'three', 'four']

let cluster: OtherCluster

beforeAll(async () => {
  const pattern = `hbase/_HOST@TIDEGATE.TEST`
  cluster = await OtherCluster.start({
    settings: {
      'hbase.master.kerberos.principal': pattern,
      'hbase.regionserver.kerberos.principal': pattern,
    },
  })
  await cluster.hbase.startRegionServer('second', {
    'hbase.regionserver.hostname': SECOND_HOST,
    'hbase.regionserver.ipc.address': SECOND_HOST,
    'hbase.regionserver.keytab.file': await serviceKeytab(cluster.kdc, `hbase/${SECOND_HOST}`),
  })
}, START_MS_MAX)

afterAll(() => cluster?.stop(), RUN_MS_MAX)

test(
  'each server is asked by the principal of its own host',
  async () => {
    const rest = await cluster.serve()
    for (const table of TABLES) {
      await createTable(rest, table)
      await put(rest, table, { row: 'r', value: table })
      expect(await get(rest, table, 'r')).toBe(table)
      expect(await scan(rest, table)).toEqual(['r'])
    }
    const hosts = await Promise.all(TABLES.map((table) => hostOf(rest, table)))
    expect(new Set(hosts)).toEqual(new Set(['localhost', SECOND_HOST]))
  },
  RUN_MS_MAX,
)

/** The host of the table's one region. */
async function hostOf(rest: string, table: string): Promise<string> {
  const answer = await fetch(`${rest}/${table}/regions`, { headers: { Accept: 'application/json' } })
  const { Region: regions } = (await answer.json()) as {
    readonly Region: readonly { readonly location: string }[]
  }
  return regions[0]!.location.split(':')[0]!
}

/** Makes a table for each part, and asks. */

import type { ExampleServer } from '../shared/example-server.ts'
import { makeWay } from '../shared/make-way.ts'
import { type Parts, runParts } from '../shared/parts.ts'
import type { Report } from '../shared/report.ts'
import { RestClient } from '../shared/rest-table.ts'
import { asOf } from './parts/as-of.ts'
import { deletes } from './parts/deletes.ts'
import { exactTimes } from './parts/exact-times.ts'
import { fileSkipping } from './parts/file-skipping.ts'
import { oneGet } from './parts/one-get.ts'
import { ownFamily } from './parts/own-family.ts'
import type { Workplace } from './parts/part.ts'
import { plainPut } from './parts/plain-put.ts'
import { slop } from './parts/slop.ts'
import { timeToLive } from './parts/time-to-live.ts'

/** By their names on the command line. */
export const PARTS: Parts<Workplace> = {
  'one-get': oneGet,
  'as-of': asOf,
  'own-family': ownFamily,
  deletes,
  'plain-put': plainPut,
  'time-to-live': timeToLive,
  slop,
  'file-skipping': fileSkipping,
  'exact-times': exactTimes,
}

export async function timeshift(
  server: ExampleServer,
  names: readonly string[],
  mayReplace: boolean,
  report: Report,
): Promise<void> {
  const client = new RestClient(server.host, server.ports.rest)
  const newTable: Workplace['newTable'] = async (name, families, attributes) => {
    await makeWay(client, [name], mayReplace)
    const table = client.table(name)
    await table.create(families, attributes)
    return table
  }
  await runParts(PARTS, names, { server, report, newTable })
}

/** Times are whole numbers of 64 bits, in every form: none of them is rounded on the way. */

import { bigintOf, type Int64, int64 } from '../../../test/harness/thrift-package.ts'
import { type ThriftClient, thriftClient } from '../../shared/thrift-client.ts'
import { family, LABEL } from '../entity.ts'
import type { TimePart } from './part.ts'

const TABLE = 'timeshift_exact_times'

/** A shifted time, the first whole number that JavaScript's numbers lack, and the last time that is not "now". */
const TIMES = ['1579141440000001', '9007199254740993', '9223372036854775806'] as const

/** Where to write and read: the table in REST, and Thrift 2. */
interface Ends {
  readonly url: string
  readonly thrift: ThriftClient
}

type Forms<Work> = Readonly<Record<'json' | 'xml' | 'header' | 'thrift', Work>>

/** Each writes a label of that time to the row that is named like the form. */
const WRITERS: Forms<(ends: Ends, time: string) => Promise<unknown>> = {
  json: ({ url }, time) => {
    const cell = `{"column":"${base64(LABEL)}","timestamp":${time},"$":""}`
    const body = `{"Row":[{"key":"${base64('json')}","Cell":[${cell}]}]}`
    return put(`${url}/json`, { 'content-type': 'application/json' }, body)
  },
  xml: ({ url }, time) => {
    const cell = `<Cell column="${base64(LABEL)}" timestamp="${time}"></Cell>`
    const body = `<CellSet><Row key="${base64('xml')}">${cell}</Row></CellSet>`
    return put(`${url}/xml`, { 'content-type': 'text/xml' }, body)
  },
  header: ({ url }, time) => {
    const headers = { 'content-type': 'application/octet-stream', 'x-timestamp': time }
    return put(`${url}/header/${LABEL}`, headers, 'house')
  },
  thrift: ({ thrift }, time) => {
    const value = { family: 'm', qualifier: 'label', value: '', timestamp: int64(BigInt(time)) }
    return thrift.methods['put']!(TABLE, { row: 'thrift', columnValues: [value] })
  },
}

/** Each reads the time of the label of a row. */
const READERS: Forms<(ends: Ends, row: string) => Promise<string | null | undefined>> = {
  json: async ({ url }, row) => {
    const answer = await get(`${url}/${row}`, 'application/json')
    return /"timestamp":(\d+)/.exec(await answer.text())?.[1]
  },
  xml: async ({ url }, row) => {
    const answer = await get(`${url}/${row}`, 'text/xml')
    return /timestamp="(\d+)"/.exec(await answer.text())?.[1]
  },
  header: async ({ url }, row) => {
    const answer = await get(`${url}/${row}/${LABEL}`, 'application/octet-stream')
    return answer.headers.get('x-timestamp')
  },
  thrift: async ({ thrift }, row) => {
    const found = await thrift.methods['get']!(TABLE, { row })
    const { columnValues } = found as { columnValues: readonly { readonly timestamp: Int64 }[] }
    return columnValues.map(({ timestamp }) => String(bigintOf(timestamp))).join()
  },
}

export const exactTimes: TimePart = {
  question: 'Is a time the same in JSON, XML, a header, and 64 bits of Thrift?',
  run: async ({ newTable, server, report }) => {
    await newTable(TABLE, [family('m')])
    const thrift = thriftClient('thrift2', server)
    const ends = { url: `http://${server.host}:${server.ports.rest}/${TABLE}`, thrift }
    for (const time of TIMES) {
      for (const write of Object.values(WRITERS)) await write(ends, time)
      const found = new Set<string | null | undefined>()
      for (const row of Object.keys(WRITERS)) {
        for (const read of Object.values(READERS)) found.add(await read(ends, row))
      }
      report.check(`${time}, written in four forms and read in four`, [...found], [time])
    }
    thrift.close()
  },
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function get(url: string, accept: string): Promise<Response> {
  return fetch(url, { headers: { accept } })
}

async function put(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  const { status } = await fetch(url, { method: 'PUT', headers, body })
  if (status !== 200) throw new Error(`PUT ${url}: ${status}`)
}

/** Times are whole numbers of 64 bits, in every form: none of them is rounded on the way. */

import { bigintOf, type Int64, int64 } from '../../../test/harness/thrift-package.ts'
import { thriftClient } from '../../shared/thrift-client.ts'
import { ENTITY, family, LABEL } from '../entity.ts'
import type { Part } from './part.ts'

const TABLE = 'timeshift_exact_times'
/** A shifted time, the first whole number that JavaScript's numbers lack, and the last time that is not "now". */
const TIMES = ['1579141440000001', '9007199254740993', '9223372036854775806'] as const

interface Found {
  readonly columnValues: readonly { readonly timestamp: Int64 }[]
}

export const exactTimes: Part = {
  question: 'Is a time the same in JSON, XML, a header, and 64 bits of Thrift?',
  run: async ({ newTable, server, report }) => {
    await newTable(TABLE, [family('m')])
    const thrift = thriftClient('thrift2', server)
    const url = `http://${server.host}:${server.ports.rest}/${TABLE}`
    for (const time of TIMES) {
      // Written by each form to a row of its own, and read by each.
      const json = `{"Row":[{"key":"${base64('json')}","Cell":[{"column":"${base64(LABEL)}","timestamp":${time},"$":""}]}]}`
      const xml = `<CellSet><Row key="${base64('xml')}"><Cell column="${base64(LABEL)}" timestamp="${time}"></Cell></Row></CellSet>`
      await put(`${url}/json`, { 'content-type': 'application/json' }, json)
      await put(`${url}/xml`, { 'content-type': 'text/xml' }, xml)
      await put(
        `${url}/header/${LABEL}`,
        { 'content-type': 'application/octet-stream', 'x-timestamp': time },
        ENTITY,
      )
      const value = { family: 'm', qualifier: 'label', value: '', timestamp: int64(BigInt(time)) }
      await thrift.methods['put']!(TABLE, { row: 'thrift', columnValues: [value] })

      const read = new Set<string>()
      for (const row of ['json', 'xml', 'header', 'thrift']) {
        read.add(await timeIn(`${url}/${row}/${LABEL}`, 'application/json', /"timestamp":(\d+)/))
        read.add(await timeIn(`${url}/${row}/${LABEL}`, 'text/xml', /timestamp="(\d+)"/))
        const answer = await fetch(`${url}/${row}/${LABEL}`, {
          headers: { accept: 'application/octet-stream' },
        })
        read.add(String(answer.headers.get('x-timestamp')))
        const found = (await thrift.methods['get']!(TABLE, { row })) as Found
        read.add(String(bigintOf(found.columnValues[0]!.timestamp)))
      }
      report.check(`${time}, written in four forms and read in four`, [...read], [time])
    }
    thrift.close()
  },
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

async function put(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  const { status } = await fetch(url, { method: 'PUT', headers, body })
  if (status !== 200) throw new Error(`PUT ${url}: ${status}`)
}

async function timeIn(url: string, accept: string, pattern: RegExp): Promise<string> {
  const answer = await fetch(url, { headers: { accept } })
  return pattern.exec(await answer.text())?.[1] ?? 'none'
}

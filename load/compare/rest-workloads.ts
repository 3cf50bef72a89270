import { readRestAnswer } from '../answers/rest-answer.ts'
import { type BenchTable, ROWS_PER_SCAN } from '../bench-table.ts'
import { restPuts } from '../gateway-requests.ts'
import { restGetRequests } from '../get-requests.ts'
import { type About, runOf, type Tables, type Workload } from './workload.ts'

const ROWS_A_CALL = 100
const BATCHES = 500

function calls(requests: readonly Buffer[], about: About): Workload {
  return {
    ...about,
    door: 'rest',
    isPaced: true,
    prepare: async ({ ports }, clients = about.clients) =>
      runOf({
        port: ports.rest,
        requests,
        answerBytes: 'http',
        readAnswer: readRestAnswer,
        connections: clients,
      }),
  }
}

function get(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: application/json\r\n\r\n`)
}

/** Pages of a scan that begin all over the table. */
function pages({ name, rows }: BenchTable): Buffer[] {
  const starts = Array.from({ length: 50 }, (_, i) => rows[(i * 7919) % (rows.length - ROWS_PER_SCAN)]!)
  return starts.map((start) => get(`/${name}/*?startrow=${start}&limit=${ROWS_PER_SCAN}`))
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Puts of rows all over the table, as a cell set in JSON. */
function batches({ name, rows, valueBytes }: BenchTable): Buffer[] {
  const [column, $] = [base64('f:q'), base64('v'.repeat(valueBytes))]
  return Array.from({ length: BATCHES }, (_, call) => {
    const row = Array.from({ length: ROWS_A_CALL }, (_, i) => ({
      key: base64(rows[((call * ROWS_A_CALL + i) * 7919) % rows.length]!),
      Cell: [{ column, $ }],
    }))
    const body = JSON.stringify({ Row: row })
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}`
    return Buffer.from(`PUT /${name}/batch HTTP/1.1\r\nHost: bench\r\n${headers}\r\n\r\n${body}`)
  })
}

export function restReads({ once }: Tables): Workload[] {
  const gets = restGetRequests(once)
  return [
    calls(gets, { name: 'REST GET of a row as JSON', clients: 16, goals: { engine: 10, cluster: 5 } }),
    calls(gets, { name: 'REST GET of a row as JSON', clients: 64, goals: { engine: 10, cluster: 5 } }),
    calls(pages(once), {
      name: `REST scan page of ${ROWS_PER_SCAN} rows as JSON`,
      clients: 16,
      goals: { engine: 8, cluster: 3 },
    }),
  ]
}

export function restWrites({ once }: Tables): Workload[] {
  const puts = restPuts(once)
  return [
    calls(puts, { name: 'REST PUT', clients: 16, goals: { engine: 5, cluster: 5 } }),
    calls(puts, { name: 'REST PUT', clients: 64, goals: { engine: 5, cluster: 5 } }),
    calls(batches(once), {
      name: `REST batch of ${ROWS_A_CALL} rows as JSON`,
      clients: 16,
      goals: { engine: 4, cluster: 3 },
    }),
  ]
}

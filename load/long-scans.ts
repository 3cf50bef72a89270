/**
 * The memory that a stateless scan of 1,000,000 rows takes, in each form of rows: `npm run bench:long-scans`. The process
 * reads rows that it has just taken over REST; its resident bytes are looked at while an answer of some 150 to 300 MB goes out.
 */

import { request } from 'node:http'
import type { ChildServer } from '../test/harness/child-server.ts'
import { inTemporaryFolder, startTidegate } from '../test/harness/tidegate-process.ts'

const ROWS = 1_000_000
const BATCH = 10_000
const VALUE = 'v'.repeat(100)
const LOOK_MS = 20
const MEGABYTE = 1024 * 1024

const FORMS = [
  'application/x-ndjson;cells=text',
  'application/x-ndjson',
  'application/json;cells=text',
  'application/json',
  'text/xml',
  'application/x-protobuf',
]

interface Received {
  readonly bytes: number
  readonly seconds: number
}

function send(
  server: ChildServer,
  method: string,
  path: string,
  type: string,
  body?: string,
): Promise<Received> {
  const start = performance.now()
  const headers = { Accept: type, ...(body !== undefined && { 'Content-Type': type }) }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: server.port('rest'), method, path, headers }
    const sent = request(options, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('error', reject)
      answer.on('end', () => {
        if (answer.statusCode !== 200 && answer.statusCode !== 201)
          reject(new Error(`${method} ${path}: ${answer.statusCode}`))
        else resolve({ bytes, seconds: (performance.now() - start) / 1000 })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function fill(server: ChildServer): Promise<void> {
  await send(server, 'PUT', '/long/schema', 'application/json', '{"ColumnSchema":[{"name":"f"}]}')
  for (let start = 0; start < ROWS; start += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, i) => ({
      key: `row${String(start + i).padStart(9, '0')}`,
      cells: [{ column: 'f:q', value: VALUE }],
    }))
    await send(server, 'PUT', '/long/x', 'application/json;cells=text', JSON.stringify({ rows }))
  }
}

/** Runs the scan, and answers with the most bytes that were resident meanwhile. */
async function scan(server: ChildServer, form: string): Promise<Received & { readonly residentMax: number }> {
  let residentMax = server.residentBytes()
  const looking = setInterval(() => {
    residentMax = Math.max(residentMax, server.residentBytes())
  }, LOOK_MS)
  try {
    return { ...(await send(server, 'GET', '/long/*', form)), residentMax }
  } finally {
    clearInterval(looking)
  }
}

await inTemporaryFolder(async (folder) => {
  const server = await startTidegate(`native:${folder}`)
  try {
    await fill(server)
    process.stdout.write(
      `${ROWS} rows; resident before: ${Math.round(server.residentBytes() / MEGABYTE)} MB\n`,
    )
    for (const form of FORMS) {
      const { bytes, seconds, residentMax } = await scan(server, form)
      const numbers = [bytes / MEGABYTE, residentMax / MEGABYTE].map((value) => `${Math.round(value)} MB`)
      process.stdout.write(
        `${form}: ${numbers[0]} in ${seconds.toFixed(1)} s, resident at most ${numbers[1]}\n`,
      )
    }
  } finally {
    await server.stop()
  }
})
